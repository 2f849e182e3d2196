/** Earlier messages, oldest first, and where Up and Down are in them. */
export interface History {
  readonly entries: readonly string[];
  /** Index of the entry shown; `entries.length` = the draft itself. */
  readonly at: number;
  /** The draft that was left to look through the history. */
  readonly parked: string;
}

const LIMIT = 1_000;

export function historyOf(entries: readonly string[]): History {
  const kept = entries.slice(-LIMIT);
  return { entries: kept, at: kept.length, parked: '' };
}

/** Repeating the last message does not fill the history. */
export function remember(history: History, text: string): History {
  return historyOf(history.entries.at(-1) === text ? history.entries : [...history.entries, text]);
}

export function older(history: History, current: string): { history: History; text: string } | null {
  if (history.at === 0) return null;
  const parked = history.at === history.entries.length ? current : history.parked;
  const at = history.at - 1;
  return { history: { ...history, at, parked }, text: history.entries[at] ?? '' };
}

export function newer(history: History): { history: History; text: string } | null {
  if (history.at >= history.entries.length) return null;
  const at = history.at + 1;
  return { history: { ...history, at }, text: history.entries[at] ?? history.parked };
}

/** The newest entry before index `before` that contains `query`, and its index. */
export function searchBack(
  history: History,
  query: string,
  before = history.entries.length,
): { readonly index: number; readonly text: string } | null {
  if (query === '') return null;
  for (let index = Math.min(before, history.entries.length) - 1; index >= 0; index -= 1) {
    const text = history.entries[index] ?? '';
    if (text.toLowerCase().includes(query.toLowerCase())) return { index, text };
  }
  return null;
}
