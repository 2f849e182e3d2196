import { unify } from '../text/line-endings.js';
import { foldCharacters, lineWindows, type LineRule } from './line-match.js';

/** Part of a file's text, in offsets of the original. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Match =
  | { readonly kind: 'exact'; readonly spans: readonly Span[] }
  /** Found once, under a named leniency. `indent` = what every line of the replacement must be moved by. */
  | { readonly kind: 'fuzzy'; readonly span: Span; readonly how: string; readonly indent: Indent | null }
  | { readonly kind: 'ambiguous'; readonly spans: readonly Span[]; readonly how: string | null }
  | { readonly kind: 'none' };

/** The first matched line is indented by `from` in the request and by `to` in the file. */
export interface Indent {
  readonly from: string;
  readonly to: string;
}

const LENIENCIES: readonly { readonly rule: LineRule; readonly how: string }[] = [
  { rule: 'trailing', how: 'ignoring spaces at line ends' },
  { rule: 'indented', how: 'ignoring indentation' },
  { rule: 'spaces', how: 'ignoring spaces' },
];

/** Less than this many visible characters could be anywhere, once spaces do not count. */
const FEWEST_VISIBLE = 4;

/**
 * Where `wanted` stands in `source`: exactly (a line ending matches any line ending); else under the first leniency
 * that finds it, and only if it finds it once. `wanted` is not empty.
 */
export function findMatch(source: string, wanted: string): Match {
  const raw = occurrences(source, wanted);
  if (raw.length > 0) return { kind: 'exact', spans: raw };
  const unified = unify(source);
  const target = unify(wanted).text;
  const spanOf = (start: number, end: number): Span => ({
    start: unified.original(start),
    end: unified.original(end),
  });
  const exact = occurrences(unified.text, target).map(({ start, end }) => spanOf(start, end));
  if (exact.length > 0) return { kind: 'exact', spans: exact };
  // Folding is one character for one, so offsets stay; the file itself is never rewritten in folded form.
  const folded = foldCharacters(unified.text);
  const foldedTarget = foldCharacters(target);
  const loose = occurrences(folded, foldedTarget).map(({ start, end }) => spanOf(start, end));
  if (loose.length > 0) return single(loose, 'ignoring the style of quotes, dashes and spaces', null);
  if (target.replace(/\s/g, '').length < FEWEST_VISIBLE) return { kind: 'none' };

  for (const { rule, how } of LENIENCIES) {
    const windows = lineWindows(folded, foldedTarget, rule);
    const [first] = windows;
    if (first === undefined) continue;
    const spans = windows.map(({ start, end }) => spanOf(start, end));
    return single(spans, how, rule === 'trailing' ? null : first.indent);
  }
  return { kind: 'none' };
}

function single(spans: readonly Span[], how: string, indent: Indent | null): Match {
  const [span] = spans;
  return span === undefined || spans.length > 1
    ? { kind: 'ambiguous', spans, how }
    : { kind: 'fuzzy', span, how, indent };
}

function occurrences(source: string, wanted: string): Span[] {
  const spans: Span[] = [];
  for (let at = source.indexOf(wanted); at !== -1; at = source.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}
