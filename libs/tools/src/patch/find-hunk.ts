import { WrongStackError } from '@wrongstack/contracts';
import { foldCharacters } from '../fs/line-match.js';
import { newLines, oldLines, type Hunk } from './file-operation.js';
import type { FileLine } from './file-lines.js';

export interface HunkSearch {
  readonly lines: readonly FileLine[];
  /** Hunks stand in the order of the file: nothing before this line is looked at. */
  readonly from: number;
  /** How many lines further down than announced the hunks before were found. */
  readonly drift: number;
  readonly display: string;
}

/** What two lines may differ in, from nothing to the style of quotes and dashes. */
const LENIENCIES: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => foldCharacters(line).trimEnd(),
];

/**
 * The 0-based line at which the hunk's old lines stand. Where more than one place fits, only a line number that hits one
 * of them exactly, an anchor or the end of the file decides; otherwise it throws rather than pick one.
 */
export function findHunk(hunk: Hunk, search: HunkSearch): number {
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return findInsertion(hunk, search);
  for (const fold of LENIENCIES) {
    const found = candidates(wanted, hunk, search, fold);
    if (found.length > 0) return choose(found, hunk, search, fold);
  }
  const applied = contains(newLines(hunk), search.lines) ? '; its new lines are there already' : '';
  throw refused(
    'patch.no_match',
    hunk,
    `the lines to change are not in ${search.display}${search.from > 0 ? ` after line ${search.from}` : ''}${applied}: read the file and send its lines as they are`,
  );
}

/** A hunk that only adds says where by the end of the file, or not at all. */
function findInsertion(hunk: Hunk, search: HunkSearch): number {
  const { lines, display } = search;
  if (lines.length === 0) return 0;
  if (hunk.anchors.length > 0 || (hunk.startLine !== null && !hunk.atEnd)) {
    throw refused(
      'patch.ambiguous',
      hunk,
      `it only adds lines, and nothing in ${display} says where: add a line of context`,
    );
  }
  return lines.length;
}

function candidates(
  wanted: readonly string[],
  hunk: Hunk,
  { lines, from }: HunkSearch,
  fold: (line: string) => string,
): readonly number[] {
  const keys = wanted.map(fold);
  const own = lines.map((line) => fold(line.text));
  const last = lines.length - wanted.length;
  const starts: number[] = [];
  let steps = 0;
  for (let start = hunk.atEnd ? Math.max(from, last) : from; start <= last; start += 1) {
    let same = 0;
    while (same < keys.length && own[start + same] === keys[same]) same += 1;
    if (same === keys.length) starts.push(start);
    steps += same;
    refuseEndless(steps, hunk);
  }
  return starts;
}

function choose(
  found: readonly number[],
  hunk: Hunk,
  search: HunkSearch,
  fold: (line: string) => string,
): number {
  if (hunk.anchors.length > 0) return single(belowAnchors(found, hunk, search, fold), hunk, search);
  if (hunk.startLine !== null && found.length > 1) {
    const announced = hunk.startLine - 1 + search.drift;
    if (found.includes(announced)) return announced;
  }
  return single(found, hunk, search);
}

/** For every place of the first anchor: the next place of each further one, then the first fitting place below. */
function belowAnchors(
  found: readonly number[],
  hunk: Hunk,
  { lines, from, display }: HunkSearch,
  fold: (line: string) => string,
): readonly number[] {
  const [first = '', ...rest] = hunk.anchors;
  const own = lines.map((line) => fold(line.text).trim());
  const isAnchor = (anchor: string, index: number): boolean => own[index] === fold(anchor).trim();
  let steps = 0;
  const places = new Set<number>();
  let known = false;
  for (let index = from; index < lines.length; index += 1) {
    if (!isAnchor(first, index)) continue;
    known = true;
    refuseEndless((steps += own.length - index), hunk);
    let at: number | undefined = index;
    for (const anchor of rest)
      at = at === undefined ? undefined : nextLine(at + 1, lines.length, (line) => isAnchor(anchor, line));
    // The anchor may be the hunk's own first line.
    const below = at === undefined ? undefined : found.find((start) => start >= at);
    if (below !== undefined) places.add(below);
  }
  if (!known) throw refused('patch.no_match', hunk, `no line of ${display} is the anchor "${first.trim()}"`);
  if (places.size === 0)
    throw refused('patch.no_match', hunk, `the lines to change are not below its anchor in ${display}`);
  return [...places];
}

function nextLine(from: number, end: number, test: (index: number) => boolean): number | undefined {
  for (let index = from; index < end; index += 1) if (test(index)) return index;
  return undefined;
}

/** A file and a hunk of the same line over and over would be compared for ever, and nothing could stop it. */
const MOST_STEPS = 50_000_000;

function refuseEndless(steps: number, hunk: Hunk): void {
  if (steps > MOST_STEPS) {
    throw refused(
      'patch.ambiguous',
      hunk,
      'its lines repeat too often in the file: use a smaller hunk or edit',
    );
  }
}

const MOST_NAMED_LINES = 12;

function single(found: readonly number[], hunk: Hunk, { display }: HunkSearch): number {
  const [place] = found;
  if (place !== undefined && found.length === 1) return place;
  const named = found.slice(0, MOST_NAMED_LINES).map((start) => start + 1);
  throw refused(
    'patch.ambiguous',
    hunk,
    `it fits ${display} at lines ${named.join(', ')}${found.length > named.length ? ', …' : ''}: add lines of context`,
  );
}

function contains(wanted: readonly string[], lines: readonly FileLine[]): boolean {
  if (wanted.length === 0 || wanted.length * lines.length > MOST_STEPS) return false;
  return lines.some((_, start) => wanted.every((text, index) => lines[start + index]?.text === text));
}

function refused(code: string, hunk: Hunk, message: string): WrongStackError {
  return new WrongStackError(code, `hunk at patch line ${hunk.patchLine}: ${message}`);
}
