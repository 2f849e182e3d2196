const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const SHORTEST = 2;
const LONGEST = 40;
/** Distinct words kept of one file. */
const MOST_TERMS = 4000;

export interface TermCounts {
  readonly counts: ReadonlyMap<string, number>;
  /** All words of the text, repeated ones too. */
  readonly length: number;
}

/**
 * Words of a text as they are searched: lower case, identifiers whole and in their parts (`parseHttpUrl` is also
 * `parse`, `http` and `url`). Long words with digits are left out: those are hashes and keys, and keys must not be stored.
 */
export function termsOf(text: string): TermCounts {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [word] of text.matchAll(WORD)) {
    length += 1;
    for (const term of partsOf(word)) {
      const known = counts.get(term);
      if (known !== undefined) counts.set(term, known + 1);
      else if (counts.size < MOST_TERMS) counts.set(term, 1);
    }
  }
  return { counts, length };
}

function partsOf(word: string): readonly string[] {
  if (word.length > LONGEST || (word.length > 20 && /\d/.test(word))) return [];
  const whole = word.toLowerCase();
  const parts = word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/);
  return [...new Set([whole, ...parts])].filter((part) => part.length >= SHORTEST);
}
