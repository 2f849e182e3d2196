/** Scripts that put no blanks between words: there, every two neighbours make a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const WORD = /[\p{L}\p{N}]+/gu;
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lo}+/gu;
const LONGEST_WORD = 64;

/**
 * The words of a text, folded: case, accents and compatibility forms do not matter, and a name like `parseJsonFile`
 * counts as itself and as its parts.
 */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
    if (UNSPACED.test(word)) {
      tokens.push(...pairsOf(word));
      continue;
    }
    const folded = fold(word);
    tokens.push(folded);
    if (word.length > LONGEST_WORD || word === word.toLowerCase()) continue;
    const parts = word.match(CAMEL_PART) ?? [];
    if (parts.length > 1) tokens.push(...parts.map(fold));
  }
  return tokens;
}

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .slice(0, LONGEST_WORD);
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word.slice(0, 1_000));
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
