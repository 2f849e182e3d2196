import { compileWordGlob, type TextTest } from './word-glob.js';

/** What a path glob is held against. */
export interface GlobPath {
  /** Symlinks resolved, absolute. */
  readonly real: string;
  /** Relative to the project with `/`; null outside it. */
  readonly relative: string | null;
  /** The project itself lies below it. */
  readonly aroundProject?: boolean;
}

/** What a glob says about one path, and about a folder with all that is or may be below it. */
export interface PathGlob {
  readonly matches: (path: GlobPath) => boolean;
  /** The folder and everything below it match. */
  readonly matchesAll: (folder: GlobPath) => boolean;
  /** Something below the folder matches, if it is there. */
  readonly mayMatchBelow: (folder: GlobPath) => boolean;
}

/** `null`: the glob starts with `~` and nobody said where home is, so nothing is known about any path. */
export type PathTest = PathGlob | null;

const MAX_ALTERNATIVES = 64;
const UNSUPPORTED = /^!|[[\]]|[@+!?*]\(/;

/**
 * A path glob: `*` and `?` inside one segment, `**` as a whole segment for any number of them, `{a,b}` alternatives,
 * `\x` for the character x. A relative glob is about the project's files; one that starts with `/`, `~` or a drive is
 * about real paths. A trailing `/` stands for the folder and all below it.
 *
 * Returns a sentence instead of a test where the glob uses what other dialects know and this one does not: read as
 * literal text, a denial would silently never match.
 */
export function compilePathGlob(glob: string, home: string | undefined): PathTest | string {
  if (UNSUPPORTED.test(glob.replace(/\\./g, '')))
    return 'character classes, negation and extended globs are not supported';
  const alternatives = expandBraces(glob);
  if (typeof alternatives === 'string') return alternatives;

  const tests: PathGlob[] = [];
  for (const alternative of alternatives) {
    const test = compileAlternative(alternative, home);
    if (typeof test === 'string') return test;
    if (test === null) return null;
    tests.push(test);
  }
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return {
    matches: (path) => tests.some((test) => test.matches(path)),
    // Two alternatives that share the work are not noticed: for an allow that is the safe side.
    matchesAll: (folder) => tests.some((test) => test.matchesAll(folder)),
    mayMatchBelow: (folder) => tests.some((test) => test.mayMatchBelow(folder)),
  };
}

function compileAlternative(glob: string, home: string | undefined): PathTest | string {
  if (/^~[^/\\]/.test(glob)) return 'a home folder of somebody else (~name) cannot be named';
  if (glob.startsWith('~')) {
    if (home === undefined) return null;
    return absolute(escapeGlob(slashed(home)) + glob.slice(1));
  }
  if (glob.startsWith('/') || /^[A-Za-z]:\//.test(glob)) return absolute(glob);
  const segments = compileSegments(glob);
  if (typeof segments === 'string') return segments;
  return segmentGlob(
    segments,
    ({ relative }) => (relative === null ? null : splitPath(relative)),
    ({ aroundProject }) => aroundProject === true,
  );
}

function absolute(glob: string): PathTest | string {
  const segments = compileSegments(glob);
  if (typeof segments === 'string') return segments;
  return segmentGlob(
    segments,
    ({ real }) => splitPath(slashed(real)),
    () => false,
  );
}

function segmentGlob(
  segments: readonly Segment[],
  partsOf: (path: GlobPath) => readonly string[] | null,
  isAbove: (path: GlobPath) => boolean,
): PathGlob {
  const matches = (path: GlobPath): boolean => {
    const parts = partsOf(path);
    return parts !== null && matchSegments(segments, parts);
  };
  return {
    matches,
    matchesAll: (folder) => segments.at(-1) === '**' && matches(folder),
    mayMatchBelow: (folder) => {
      const parts = partsOf(folder);
      return parts === null ? isAbove(folder) : mayGoOn(segments, parts);
    },
  };
}

/** After these names, is there a segment left that a further name could satisfy? Follows every way to read `**`. */
function mayGoOn(segments: readonly Segment[], parts: readonly string[]): boolean {
  let places = new Set(skipStars(segments, 0));
  for (const part of parts) {
    const next = new Set<number>();
    for (const place of places) {
      const segment = segments[place];
      const after = segment === '**' ? place : segment?.(part) === true ? place + 1 : null;
      if (after !== null) for (const one of skipStars(segments, after)) next.add(one);
    }
    places = next;
  }
  return [...places].some((place) => place < segments.length);
}

/** A `**` may stand for nothing: the places that are reached without a name. */
function skipStars(segments: readonly Segment[], from: number): number[] {
  const places = [from];
  for (let at = from; segments[at] === '**'; at++) places.push(at + 1);
  return places;
}

/** `'**'`, or a test of one segment. */
type Segment = '**' | TextTest;

function compileSegments(glob: string): Segment[] | string {
  const parts = glob
    .split('/')
    .filter((part, index, all) => part !== '.' && !(part === '' && index < all.length - 1));
  if (parts.includes('..')) return '".." cannot be part of a glob, name the folder itself';
  // `infra/` would match nothing at all: no resolved path ends with a slash.
  if (parts.at(-1) === '') parts[parts.length - 1] = '**';
  return parts.map((part) => (part === '**' ? '**' : compileSegment(part)));
}

function compileSegment(part: string): TextTest {
  const questions = part.replace(/\\./g, '').includes('?');
  return questions ? (text) => matchWildcards(part, text) : compileWordGlob(part);
}

/** `*`, `?` and escapes in one segment; remembers the last star only, so the worst case is pattern times text. */
function matchWildcards(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const escaped = pattern[p] === '\\' && p + 1 < pattern.length;
    const wanted = escaped ? pattern[p + 1] : pattern[p];
    if (!escaped && wanted === '*') {
      star = p++;
      mark = t;
    } else if (wanted !== undefined && ((!escaped && wanted === '?') || wanted === text[t])) {
      p += escaped ? 2 : 1;
      t++;
    } else if (star !== -1) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** A glob whose only wildcards are `*` in a segment and `**` as one: what the trust file stores, where `?` is a letter. */
export function compilePlainPathGlob(glob: string): {
  readonly matches: (path: string) => boolean;
  readonly mayMatchBelow: (folder: string) => boolean;
} {
  const segments = splitPath(slashed(glob)).map((part): Segment =>
    part === '**' ? part : compileWordGlob(part),
  );
  return {
    matches: (path) => matchSegments(segments, splitPath(slashed(path))),
    mayMatchBelow: (folder) => mayGoOn(segments, splitPath(slashed(folder))),
  };
}

function matchSegments(segments: readonly Segment[], parts: readonly string[]): boolean {
  let s = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  while (p < parts.length) {
    const segment = segments[s];
    if (segment === '**') {
      star = s++;
      mark = p;
    } else if (segment?.(parts[p] ?? '') === true) {
      s++;
      p++;
    } else if (star !== -1) {
      s = star + 1;
      p = ++mark;
    } else return false;
  }
  while (segments[s] === '**') s++;
  return s === segments.length;
}

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function slashed(path: string): string {
  return /^(?:[A-Za-z]:\\|\\\\)/.test(path) ? path.replaceAll('\\', '/') : path;
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?{}]/g, '\\$&');
}

/** `{a,b}` alternatives, nested ones too. */
function expandBraces(glob: string): string[] | string {
  const open = findUnescaped(glob, '{', 0);
  if (open === -1) return findUnescaped(glob, '}', 0) === -1 ? [glob] : 'unbalanced braces';
  const cuts: number[] = [open];
  let depth = 0;
  let close = -1;
  for (let at = open; at < glob.length && close === -1; at++) {
    const character = glob[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) close = at;
    else if (character === ',' && depth === 1) cuts.push(at);
  }
  if (close === -1) return 'unbalanced braces';
  cuts.push(close);

  const expanded: string[] = [];
  for (let index = 0; index + 1 < cuts.length; index++) {
    const middle = glob.slice((cuts[index] ?? 0) + 1, cuts[index + 1]);
    const rest = expandBraces(glob.slice(0, open) + middle + glob.slice(close + 1));
    if (typeof rest === 'string') return rest;
    expanded.push(...rest);
    if (expanded.length > MAX_ALTERNATIVES) return `more than ${MAX_ALTERNATIVES} alternatives in braces`;
  }
  return expanded;
}

function findUnescaped(text: string, character: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === character) return at;
  }
  return -1;
}
