import type { Indent } from './find-match.js';

/** What two lines may differ in: spaces at their ends, also the indentation, all spaces. */
export type LineRule = 'trailing' | 'indented' | 'spaces';

export interface LineWindow {
  readonly start: number;
  readonly end: number;
  readonly indent: Indent | null;
}

const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201A\u201B]/g, "'"],
  [/[\u201C\u201D\u201E\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' '],
];

/** Typographic quotes, dashes and spaces as their plain forms; the length stays. */
export function foldCharacters(text: string): string {
  return FOLDS.reduce((folded, [pattern, plain]) => folded.replace(pattern, plain), text);
}

/** Every run of whole lines of `source` that equals the lines of `wanted` under the rule. Both have LF endings. */
export function lineWindows(source: string, wanted: string, rule: LineRule): LineWindow[] {
  // A final line ending in the request belongs to its last line, and then to the window as well.
  const closed = wanted.endsWith('\n');
  const asked = (closed ? wanted.slice(0, -1) : wanted).split('\n');
  const lines = source.split('\n');
  const keys = asked.map((line) => key(line, rule));
  if (keys.every((line) => line === '')) return [];
  const own = lines.map((line) => key(line, rule));
  const starts = lineStarts(lines);
  const windows: LineWindow[] = [];
  for (let first = 0; first + asked.length <= lines.length; first += 1) {
    if (!keys.every((line, index) => own[first + index] === line)) continue;
    const last = first + asked.length - 1;
    const end = (starts[last] ?? 0) + (lines[last]?.length ?? 0);
    const withEnding = closed && last + 1 < lines.length;
    windows.push({
      start: starts[first] ?? 0,
      end: withEnding ? end + 1 : end,
      indent: indentOf(asked, lines.slice(first, last + 1)),
    });
  }
  return windows;
}

function key(line: string, rule: LineRule): string {
  switch (rule) {
    case 'trailing':
      return line.trimEnd();
    case 'indented':
      return line.trim();
    case 'spaces':
      return line.replace(/\s+/g, '');
  }
}

function lineStarts(lines: readonly string[]): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return starts;
}

function indentOf(asked: readonly string[], found: readonly string[]): Indent | null {
  const index = asked.findIndex((line) => line.trim() !== '');
  const from = leading(asked[index] ?? '');
  const to = leading(found[index] ?? '');
  return from === to ? null : { from, to };
}

function leading(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
