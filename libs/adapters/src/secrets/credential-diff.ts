import { mayBecomeDiffLine, readDiffLine, withoutColour, type DiffLine } from './diff-line.js';

/** Stands in a diff in place of what a credential file holds. */
export const WITHHELD = '[lines of a credential file withheld]';

/** A line longer than this is judged by its beginning, which bounds what is held back. */
const LONGEST_HELD = 4096;

type State =
  | { readonly kind: 'outside' }
  /** Behind the name of a credential file, before its first hunk. */
  | { readonly kind: 'head' }
  /** Inside: `left` counts the lines of a hunk down; null where the hunk's lines cannot be told from what follows. */
  | { readonly kind: 'inside'; readonly left: HunkLeft | null };

interface HunkLeft {
  readonly old: number;
  readonly new: number;
}

const OUTSIDE: State = { kind: 'outside' };

/**
 * Withholds what a unified diff shows of credential files. git prints files that nobody named (`git diff`, `git log -p`,
 * `git show`), and a password in one of them need not look like one. A section begins with its file name and ends where
 * its hunks are used up; in a form whose lines cannot be counted (words, graphs, combined diffs), with the next file or
 * commit. So too much may be withheld, never too little.
 */
export class CredentialDiff {
  private state: State = OUTSIDE;
  private pending = '';
  /** The rest of the line goes the way of its beginning. */
  private rest: 'shown' | 'withheld' | null = null;
  /** `+++ b/.env` of a diff without git's header: what follows counts when a hunk begins. */
  private named = false;
  private marked = false;

  constructor(private readonly isCredentialFile: (path: string) => boolean) {}

  push(chunk: string): string {
    let out = '';
    for (let from = 0; from < chunk.length;) {
      const newline = chunk.indexOf('\n', from);
      const end = newline === -1 ? chunk.length : newline + 1;
      out += this.piece(chunk.slice(from, end), newline !== -1);
      from = end;
    }
    return out;
  }

  end(): string {
    return this.pending === '' ? '' : this.judgePending();
  }

  private piece(text: string, ends: boolean): string {
    if (this.rest !== null) {
      const shown = this.rest === 'shown' ? text : '';
      if (ends) this.rest = null;
      return shown;
    }
    this.pending += text;
    const waits = this.state.kind !== 'outside' || mayBecomeDiffLine(this.pending);
    if (this.pending.length <= LONGEST_HELD && !ends && waits) return '';
    // Judged by the same part of it however the line arrives.
    const tail = this.pending.slice(LONGEST_HELD);
    this.pending = this.pending.slice(0, LONGEST_HELD);
    const head = this.judgePending();
    const shown = this.state.kind !== 'inside';
    if (!ends) this.rest = shown ? 'shown' : 'withheld';
    return shown ? head + tail : head;
  }

  private judgePending(): string {
    const line = this.pending;
    this.pending = '';
    return this.judge(line);
  }

  private judge(line: string): string {
    const { state } = this;
    // Where lines are counted, one with a sign before it is content, whatever it reads like.
    const counting = state.kind === 'inside' && state.left !== null && !isUsedUp(state.left);
    const read = counting && /^[ +\-\\]/.test(withoutColour(line)) ? null : readDiffLine(line);
    if (read?.kind === 'file') {
      this.named = false;
      this.marked = false;
      this.state = read.names.some((name) => this.isCredentialFile(name)) ? { kind: 'head' } : OUTSIDE;
      return line;
    }
    switch (state.kind) {
      case 'outside':
        return this.outside(line, read);
      case 'head':
        return this.head(line, read);
      case 'inside':
        return this.inside(line, read, state.left);
    }
  }

  private outside(line: string, read: DiffLine | null): string {
    if (read?.kind === 'side') {
      this.named ||= read.names.some((name) => this.isCredentialFile(name));
      return line;
    }
    const begins = this.named && read?.kind === 'hunk';
    this.named = false;
    if (!begins) return line;
    this.marked = false;
    return this.enter(read);
  }

  /** git says names and modes first. Anything else means that this was no diff, only its first line. */
  private head(line: string, read: DiffLine | null): string {
    if (read?.kind === 'hunk') return this.enter(read);
    if (read?.kind !== 'about' && read?.kind !== 'side') this.state = OUTSIDE;
    return line;
  }

  private inside(line: string, read: DiffLine | null, left: HunkLeft | null): string {
    const usedUp = left !== null && isUsedUp(left);
    if (read?.kind === 'hunk') return this.enter(read);
    // Another line with a sign means that the signs were others than the count took them for.
    if ((usedUp && !/^[ +\-\\]/.test(withoutColour(line))) || read?.kind === 'commit') {
      this.state = OUTSIDE;
      return this.outside(line, read);
    }
    this.state = { kind: 'inside', left: left === null ? null : counted(line, left) };
    return '';
  }

  private enter({ size }: Extract<DiffLine, { kind: 'hunk' }>): string {
    this.state = { kind: 'inside', left: size };
    if (this.marked) return '';
    this.marked = true;
    return `${WITHHELD}\n`;
  }
}

function isUsedUp(left: HunkLeft): boolean {
  return left.old === 0 && left.new === 0;
}

/** A line that does not begin as one of a hunk, or that the hunk has no room for, makes the count worthless. */
function counted(line: string, left: HunkLeft): HunkLeft | null {
  const sign = withoutColour(line).charAt(0);
  if (sign === '\\') return left;
  if (sign !== ' ' && sign !== '+' && sign !== '-') return null;
  const next = { old: left.old - (sign === '+' ? 0 : 1), new: left.new - (sign === '-' ? 0 : 1) };
  return next.old < 0 || next.new < 0 ? null : next;
}
