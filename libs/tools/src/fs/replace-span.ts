import { endingAt, unify } from '../text/line-endings.js';
import type { Indent, Span } from './find-match.js';
import { foldCharacters } from './line-match.js';

/**
 * The text that takes the place of a matched span. Lines that stay the same keep the file's own bytes (endings, spaces,
 * typography): only what the request really changes is written. New lines take the ending of the line they replace.
 */
export function replacementFor(
  source: string,
  span: Span,
  wanted: string,
  replacement: string,
  indent: Indent | null,
): string {
  const matched = source.slice(span.start, span.end);
  // Endings that the file does not have say nothing about those that it shall get.
  if (wanted.includes('\r\n') && !matched.includes('\r'))
    return replacementFor(source, span, unify(wanted).text, unify(replacement).text, indent);
  const found = splitLines(matched);
  const old = splitLines(wanted);
  const next = splitLines(replacement);
  if (found.length !== old.length) return withEndings(replacement, endingAt(source, span.start));
  const head = commonLines(old, next, (lines, index) => lines[index]);
  const rest = Math.min(old.length, next.length) - head;
  const tail = Math.min(
    rest,
    commonLines(old, next, (lines, index) => lines[lines.length - 1 - index]),
  );
  const middle = next.slice(head, next.length - tail).map((line, index) => {
    const replaced = found[head + index] ?? found[found.length - 1];
    const ending =
      replaced?.ending === undefined || replaced.ending === ''
        ? endingAt(source, span.start)
        : replaced.ending;
    const text = withOwnStyle(line.text, old[head + index]?.text, replaced?.text);
    return reindent(text, indent) + (line.ending === '\n' ? ending : line.ending);
  });
  return (
    joined(found.slice(0, head)) + middle.join('') + joined(found.slice(found.length - tail, found.length))
  );
}

/**
 * `“q” — x` is found by `"q" - x`: character for character, so what the request leaves alone at both ends of the line
 * keeps the style that it has in the file.
 */
function withOwnStyle(next: string, old: string | undefined, found: string | undefined): string {
  if (old === undefined || found === undefined || old === found) return next;
  if (foldCharacters(old) !== foldCharacters(found)) return next;
  const most = Math.min(old.length, next.length);
  let head = 0;
  while (head < most && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  return found.slice(0, head) + next.slice(head, next.length - tail) + found.slice(found.length - tail);
}

interface Line {
  readonly text: string;
  readonly ending: string;
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  const ending = /\r\n|\n|\r/g;
  let from = 0;
  for (let hit = ending.exec(text); hit !== null; hit = ending.exec(text)) {
    lines.push({ text: text.slice(from, hit.index), ending: hit[0] });
    from = hit.index + hit[0].length;
  }
  lines.push({ text: text.slice(from), ending: '' });
  return lines;
}

/** Equal lines from one side: with equal text, and both ended or both not. */
function commonLines(
  left: readonly Line[],
  right: readonly Line[],
  at: (lines: readonly Line[], index: number) => Line | undefined,
): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most) {
    const one = at(left, count);
    const other = at(right, count);
    if (one?.text !== other?.text || (one?.ending === '') !== (other?.ending === '')) break;
    count += 1;
  }
  return count;
}

function joined(lines: readonly Line[]): string {
  return lines.map((line) => line.text + line.ending).join('');
}

function withEndings(text: string, ending: string): string {
  return ending === '\n' ? text : text.replace(/\r?\n/g, ending);
}

function reindent(line: string, indent: Indent | null): string {
  if (indent === null || line.trim() === '') return line;
  return line.startsWith(indent.from) ? indent.to + line.slice(indent.from.length) : line;
}
