/** Text with every line ending as one LF, and where each of its characters stood before. */
export interface Unified {
  readonly text: string;
  /** Offset in the original of the unified offset `at` (which may be the length). */
  original(at: number): number;
}

const CR = 13;
const LF = 10;

export function unify(source: string): Unified {
  if (!source.includes('\r')) return { text: source, original: (at) => at };
  // Only the places where a pair shrank are kept: most files have far fewer lines than characters.
  const shrunk: number[] = [];
  let text = '';
  let from = 0;
  for (let index = source.indexOf('\r'); index !== -1; index = source.indexOf('\r', from)) {
    text += `${source.slice(from, index)}\n`;
    from = index + 1;
    if (source.charCodeAt(from) === LF) {
      shrunk.push(text.length);
      from += 1;
    }
  }
  text += source.slice(from);
  return { text, original: (at) => at + countUpTo(shrunk, at) };
}

/** The ending of the line that starts at or before `at`, or of the nearest line above: what new lines there should use. */
export function endingAt(source: string, at: number): string {
  const below = endingIn(source, at);
  if (below !== '') return below;
  for (let index = at - 1; index >= 0; index -= 1) {
    const code = source.charCodeAt(index);
    if (code === LF) return source.charCodeAt(index - 1) === CR ? '\r\n' : '\n';
    if (code === CR) return '\r';
  }
  return '\n';
}

/** The first ending at or after `at`; empty when there is none. */
function endingIn(source: string, at: number): string {
  for (let index = at; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    if (code === LF) return '\n';
    if (code === CR) return source.charCodeAt(index + 1) === LF ? '\r\n' : '\r';
  }
  return '';
}

/** How many of the sorted positions are at or before `at`. */
function countUpTo(positions: readonly number[], at: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 1-based line of an offset; CRLF, LF and a lone CR each end a line. */
export function lineOf(source: string, offset: number): number {
  let line = 1;
  for (let index = 0; index < offset; index += 1) {
    const code = source.charCodeAt(index);
    if (code === LF || (code === CR && source.charCodeAt(index + 1) !== LF)) line += 1;
  }
  return line;
}

/** Lines as people count them: a last line without an ending counts, the emptiness after a last ending does not. */
export function countLines(source: string): number {
  if (source === '') return 0;
  const { text } = unify(source);
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines : lines + 1;
}
