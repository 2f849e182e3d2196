import { tokenise } from './tokenise.js';

/** How often each word stands in a text. */
export interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
}

/** BM25's usual constants: how soon repetition stops to count, and how much long texts are held back. */
const K1 = 1.2;
const B = 0.75;
/** A word that only begins like the asked one (`deploy` in `deployment`) counts less than the word itself. */
const PREFIX_WEIGHT = 0.4;
const SHORTEST_PREFIX = 3;

export function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  const tokens = tokenise(text);
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return { counts, length: tokens.length };
}

/** Items that have a word of the query, best first (BM25). The order of equals is the order of `items`. */
export function rank<T>(
  query: Iterable<string>,
  items: readonly T[],
  wordsOf: (item: T) => WordCounts,
): readonly Ranked<T>[] {
  const documents = items.map((item) => ({ item, words: wordsOf(item) }));
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, documents.length);
  const scores = new Map<T, number>();
  for (const word of new Set(query)) {
    const found = documents
      .map(({ item, words }) => ({ item, words, times: occurrences(word, words) }))
      .filter(({ times }) => times > 0);
    const worth = rarity(found.length, documents.length);
    for (const { item, words, times } of found) {
      const held = 1 - B + (B * words.length) / Math.max(1, average);
      const score = (worth * times * (K1 + 1)) / (times + K1 * held);
      scores.set(item, (scores.get(item) ?? 0) + score);
    }
  }
  return items
    .flatMap((item) => {
      const score = scores.get(item);
      return score === undefined ? [] : [{ item, score }];
    })
    .sort((a, b) => b.score - a.score);
}

/** What a word is worth that `having` of `all` texts have: next to nothing when all of them do. */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function occurrences(word: string, { counts }: WordCounts): number {
  let times = counts.get(word) ?? 0;
  if (word.length < SHORTEST_PREFIX) return times;
  for (const [other, count] of counts) {
    if (other !== word && other.startsWith(word)) times += PREFIX_WEIGHT * count;
  }
  return times;
}

/** The words that tell a text apart from the others: frequent in it, rare elsewhere. */
export function tellingWords<T>(
  text: WordCounts,
  items: readonly T[],
  wordsOf: (item: T) => WordCounts,
  most: number,
): readonly string[] {
  const weighed = [...text.counts].map(([word, count]) => {
    const others = items.filter((item) => wordsOf(item).counts.has(word)).length;
    return { word, weight: (1 + Math.log(count)) * rarity(others, items.length) };
  });
  return weighed
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ word }) => word);
}
