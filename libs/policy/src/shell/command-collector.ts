import type { CommandRisk, ShellTrait, SimpleCommand } from '@wrongstack/contracts';
import { LinkTargets } from './link-targets.js';
import type { ImpliedHost, ImpliedPath, Received } from './shell-analysis.js';
import type { PathException, WordException } from './store-read.js';
import { argvOf, textOf, type ShellWord } from './shell-word.js';
import type { WorkingFolder } from './working-folder.js';

/** One simple command while it is being looked at. */
export interface CommandDraft {
  readonly index: number;
  readonly words: readonly ShellWord[];
  text: string;
  readonly traits: Set<ShellTrait>;
  readonly through: readonly string[];
  wrapper: SimpleCommand['wrapper'];
  readonly inner: number[];
  risk: CommandRisk;
  riskReason: string | null;
  readOnly: boolean;
  nestedWstack: boolean;
}

/** More commands than this in one call are nobody's honest command line. */
const MAX_COMMANDS = 2_000;

/** Nested wrappers hand on their words, and braces multiply them: this keeps the work in proportion to the input. */
const MAX_WORDS = 60_000;

const MAX_REASON = 120;

/** Gathers what the walk finds, in the order in which it is found. */
export class CommandCollector {
  readonly drafts: CommandDraft[] = [];
  readonly paths: ImpliedPath[] = [];
  readonly hosts: ImpliedHost[] = [];
  /** The first reason why something could not be looked through. */
  unparsedReason: string | null = null;
  /** Links that earlier commands of this call make. */
  readonly links = new LinkTargets();
  /** `exec >file`: from there on every command writes into it. */
  outputMoved = false;
  private words = 0;
  private evaluating = false;
  private heldCode: string | null = null;
  private readonly seenHosts = new Set<string>();
  private readonly seenPaths = new Set<string>();

  add(
    words: readonly ShellWord[],
    given: { traits: Iterable<ShellTrait>; through: readonly string[]; text?: string },
  ): CommandDraft {
    const draft: CommandDraft = {
      index: this.drafts.length,
      words,
      text: given.text ?? textOf(words),
      traits: new Set(given.traits),
      through: given.through,
      wrapper: 'none',
      inner: [],
      risk: 'ordinary',
      riskReason: null,
      readOnly: false,
      nestedWstack: false,
    };
    this.drafts.push(draft);
    this.words += words.length;
    return draft;
  }

  /** The script evaluates arithmetic, and bash runs substitutions in the subscripts of what it evaluates. */
  evaluates(): void {
    this.evaluating = true;
    if (this.heldCode !== null) this.unparsed(`arithmetic beside the code in ${this.heldCode}`);
  }

  /** A literal that would run as code if it were evaluated. */
  holdsCode(text: string): void {
    this.heldCode ??= text;
    if (this.evaluating) this.unparsed(`arithmetic beside the code in ${text}`);
  }

  /** Whether the budget is used up; the caller then stops looking and everything counts as unparsed. */
  isFull(): boolean {
    if (this.drafts.length >= MAX_COMMANDS) this.unparsed(`more than ${MAX_COMMANDS} commands`);
    else if (this.words >= MAX_WORDS) this.unparsed(`more than ${MAX_WORDS} words`);
    else return false;
    return true;
  }

  unparsed(reason: string): void {
    this.unparsedReason ??= oneLine(reason);
  }

  /** A command that cannot be looked through. Destructive stays destructive: the stricter of the two counts. */
  opaque(draft: CommandDraft, reason: string): void {
    this.unparsed(reason);
    draft.traits.add('unparsed');
    if (draft.risk !== 'ordinary') return;
    draft.risk = 'opaque';
    draft.riskReason = oneLine(reason);
  }

  destructive(draft: CommandDraft, reason: string): void {
    if (draft.risk === 'destructive') return;
    draft.risk = 'destructive';
    draft.riskReason = oneLine(reason);
  }

  path(
    draft: CommandDraft,
    folder: WorkingFolder,
    word: ShellWord,
    access: 'read' | 'write',
    more: {
      readonly bookkeeping?: boolean;
      readonly receives?: readonly ShellWord[];
      readonly recursive?: boolean;
      readonly guessed?: boolean;
      readonly unless?: readonly WordException[];
    } = {},
  ): void {
    const patterns = word.base === null ? [] : folder.resolve({ ...word, base: null });
    const receives = (more.receives ?? []).flatMap((source) => received(folder, source));
    for (const [index, place] of folder.resolve(word).entries()) {
      const path = place !== null && this.links.hide(place) ? null : place;
      const pattern = patterns[index] ?? null;
      const key = `${draft.index} ${access} ${path ?? ''} ${pattern ?? ''} ${more.recursive === true} ${receives.length > 0} ${more.guessed === true} ${JSON.stringify(more.unless ?? null)}`;
      if (this.seenPaths.has(key)) continue;
      this.seenPaths.add(key);
      this.paths.push({
        path,
        access,
        command: draft.index,
        bookkeeping: more.bookkeeping === true,
        ...(more.recursive === true && { recursive: true }),
        ...(more.guessed === true && { guessed: true }),
        ...(more.unless !== undefined && { unless: more.unless.map((one) => placed(folder, one)) }),
        ...(pattern !== null && { pattern }),
        ...(receives.length > 0 && { receives }),
      });
    }
  }

  host(draft: CommandDraft, url: string | null): void {
    const key = `${draft.index} ${url ?? ''}`;
    if (this.seenHosts.has(key)) return;
    this.seenHosts.add(key);
    this.hosts.push({ url, command: draft.index });
  }

  finished(): SimpleCommand[] {
    return this.drafts.map((draft) => ({
      argv: argvOf(draft.words),
      text: draft.text,
      traits: [...draft.traits],
      through: draft.through,
      wrapper: draft.wrapper,
      inner: draft.inner,
      risk: draft.risk,
      riskReason: draft.riskReason,
      readOnly: draft.readOnly,
      nestedWstack: draft.nestedWstack,
    }));
  }
}

function placed(folder: WorkingFolder, exception: WordException): PathException {
  if (exception.kind === 'no-blob') return exception;
  return { ...exception, paths: exception.paths.flatMap((word) => pathspec(folder, word)) };
}

/** Magic, wildcards and words that are not static may name any file. */
function pathspec(folder: WorkingFolder, word: ShellWord): readonly (string | null)[] {
  if (word.value === null || /^:|[*?[\\]/.test(word.value)) return [null];
  return folder.resolve(word);
}

/** Where a source lies, and whether its contents move rather than itself. */
function received(folder: WorkingFolder, word: ShellWord): Received[] {
  const contents = /(?:^|\/)\.{0,2}$/.test(word.value ?? '');
  return folder
    .resolve({ ...word, base: null })
    .flatMap((path) => (path === null ? [] : [{ path, contents }]));
}

/** Reasons are shown on one line, and quote from the command: neither its line ends nor its length may spoil that. */
function oneLine(reason: string): string {
  const line = reason.replaceAll(/\s+/g, ' ');
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON - 1)}…` : line;
}
