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

type Step = 'any-depth' | SegmentTest;

const MOST_ALTERNATIVES = 256;

/** `**` stands for any number of folders; at the end for at least one segment. Throws `glob.invalid`. */
export function compileGlob(pattern: string, options: GlobOptions): GlobTest {
  const fold = (text: string): string => (options.caseSensitive ? text : text.toLowerCase());
  const alternatives = (options.braces ? expandBraces(pattern) : [pattern]).map((alternative) =>
    fold(alternative)
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .map((segment): Step => (segment === '**' ? 'any-depth' : compileSegment(segment, options.brackets))),
  );
  return (path) => {
    const names = fold(path).split('/');
    return alternatives.some((steps) => matchesPath(steps, names));
  };
}

/** Row by row over the steps: `reached[n]` = the steps so far can stand for the first n names. */
function matchesPath(steps: readonly Step[], names: readonly string[]): boolean {
  let reached = Array.from({ length: names.length + 1 }, (_, index) => index === 0);
  for (const [position, step] of steps.entries()) {
    const next = new Array<boolean>(names.length + 1).fill(false);
    const atEnd = position === steps.length - 1;
    for (let index = 0; index <= names.length; index += 1) {
      if (step === 'any-depth') {
        next[index] =
          (index > 0 && (next[index - 1] === true || (atEnd && reached[index - 1] === true))) ||
          (!atEnd && reached[index] === true);
      } else if (index > 0 && reached[index - 1] === true) {
        next[index] = step(names[index - 1] ?? '');
      }
    }
    reached = next;
  }
  return reached[names.length] === true;
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
