import { termsOf } from './terms.js';

export interface MatchingLine {
  readonly line: number;
  readonly text: string;
}

const MOST_CHARACTERS = 160;

/** The lines of a text that hold most of the words, in the order of the text. */
export function matchingLines(
  source: string,
  words: readonly string[],
  most: number,
): readonly MatchingLine[] {
  const scored = source.split(/\r\n|\n|\r/).flatMap((text, index) => {
    if (text.length > 2000 || !words.some((word) => text.toLowerCase().includes(word))) return [];
    const own = termsOf(text).counts;
    const score = words.filter((word) => own.has(word)).length;
    return score === 0 ? [] : [{ line: index + 1, text: text.trim(), score }];
  });
  return scored
    .sort((left, right) => right.score - left.score || left.line - right.line)
    .slice(0, most)
    .sort((left, right) => left.line - right.line)
    .map(({ line, text }) => ({
      line,
      text: text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text,
    }));
}
