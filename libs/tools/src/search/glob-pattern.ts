import { WrongStackError } from '@wrongstack/contracts';
import { compileSegment, type SegmentTest } from './glob-segment.js';

export interface GlobOptions {
  readonly caseSensitive: boolean;
  /** `{a,b}` stands for both; ignore files do not know it. */
  readonly braces: boolean;
  readonly brackets: 'class' | 'either';
}

/** A compiled glob over paths with `/`, relative to where it was written. */
export type GlobTest = (path: string) => boolean;

/** A glob on its way down a tree: what it makes of the names in one folder. */
export interface GlobFolder {
  /** Whether the file of this name matches. */
  readonly file: (name: string) => boolean;
  /** The glob inside the folder of this name; null when nothing in there can match. */
  readonly folder: (name: string) => GlobFolder | null;
}

type Step = 'any-depth' | SegmentTest;

const MOST_ALTERNATIVES = 256;

/** `**` stands for any number of folders; at the end for at least one segment. Throws `glob.invalid`. */
export function compileGlob(pattern: string, options: GlobOptions): GlobTest {
  const top = compileGlobFolder(pattern, options);
  return (path) => {
    const names = path.split('/');
    const last = names.pop() ?? '';
    let at: GlobFolder | null = top;
    for (const name of names) {
      at = at.folder(name);
      if (at === null) return false;
    }
    return at.file(last);
  };
}

export function compileGlobFolder(pattern: string, options: GlobOptions): GlobFolder {
  const fold = options.caseSensitive ? asItIs : (text: string): string => text.toLowerCase();
  const steps: Step[] = [];
  const starts: number[] = [];
  for (const alternative of options.braces ? expandBraces(pattern) : [pattern]) {
    starts.push(steps.length);
    for (const segment of fold(alternative).split('/')) {
      if (segment === '' || segment === '.') continue;
      steps.push(segment === '**' ? 'any-depth' : compileSegment(segment, options.brackets));
    }
    steps.push(END);
  }
  return folderAt(steps, starts, fold);
}

/** Behind the last step of each alternative; no name gets past it. */
const END: SegmentTest = () => false;

/**
 * All alternatives at once: `positions` are the steps that the next name may take. There are never more of them than
 * steps, whatever the pattern and the path: so no pattern is slow.
 */
function folderAt(
  steps: readonly Step[],
  positions: readonly number[],
  fold: (name: string) => string,
  known = new Map<string, GlobFolder>(),
): GlobFolder {
  const reached = withSkipped(steps, positions);
  const finals = reached.flatMap((at): SegmentTest[] => {
    const step = steps[at];
    if (steps[at + 1] !== END || step === undefined) return [];
    return [step === 'any-depth' ? () => true : step];
  });
  const [only] = finals;
  const file =
    only !== undefined && finals.length === 1 ? only : (name: string) => finals.some((test) => test(name));
  return {
    file: fold === asItIs ? file : (name) => file(fold(name)),
    folder: (name) => {
      const next = nextPositions(steps, reached, fold(name));
      if (next.length === 0) return null;
      // Below a `**` the same positions come again for each folder of the tree.
      const key = next.join();
      let below = known.get(key);
      if (below === undefined) known.set(key, (below = folderAt(steps, next, fold, known)));
      return below;
    },
  };
}

function asItIs(name: string): string {
  return name;
}

/** `**` may stand for no folder at all, unless it is the last step. */
function withSkipped(steps: readonly Step[], positions: readonly number[]): readonly number[] {
  const all = new Set<number>();
  for (let at of positions) {
    all.add(at);
    while (steps[at] === 'any-depth' && steps[at + 1] !== END) all.add((at += 1));
  }
  return [...all];
}

function nextPositions(steps: readonly Step[], reached: readonly number[], name: string): readonly number[] {
  const next = new Set<number>();
  for (const at of reached) {
    const step = steps[at];
    if (step === 'any-depth') next.add(at);
    else if (step !== undefined && steps[at + 1] !== END && step(name)) next.add(at + 1);
  }
  return [...next];
}

/** `a{b,c}d` → `abd`, `acd`; nested too. A brace without its partner or without a comma is itself. */
export function expandBraces(pattern: string): readonly string[] {
  let pending = [pattern];
  const done: string[] = [];
  while (pending.length > 0) {
    if (pending.length + done.length > MOST_ALTERNATIVES) {
      throw new WrongStackError(
        'glob.invalid',
        `the pattern has more than ${MOST_ALTERNATIVES} {alternatives}: split it`,
      );
    }
    const next: string[] = [];
    for (const item of pending) {
      const group = firstGroup(item);
      if (group === null) done.push(item);
      else next.push(...group.parts.map((part) => group.before + part + group.after));
    }
    pending = next;
  }
  return done;
}

interface BraceGroup {
  readonly before: string;
  readonly parts: readonly string[];
  readonly after: string;
}

function firstGroup(pattern: string): BraceGroup | null {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    if (pattern[start - 1] === '\\') continue;
    const group = groupAt(pattern, start);
    if (group !== null) return group;
  }
  return null;
}

function groupAt(pattern: string, start: number): BraceGroup | null {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = start; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(from, index));
      from = index + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      if (parts.length === 0) return null;
      parts.push(pattern.slice(from, index));
      return { before: pattern.slice(0, start), parts, after: pattern.slice(index + 1) };
    }
  }
  return null;
}
