import type { ControlStore } from '@wrongstack/contracts/control';
import type { ConformanceCase } from '../../testing/conformance-case.js';

/** An empty store, and the same one as another process sees it (the same object where only one process may have it). */
export interface StoreHarness {
  readonly store: ControlStore;
  readonly peer: ControlStore;
  /** Runs SQL beside the store, as somebody with the database's password could. */
  readonly tamper: (statement: string) => Promise<void>;
}

export type StoreCase = ConformanceCase<StoreHarness>;

/** All items of a list, page by page. */
export async function everyPage<Item>(
  page: (cursor: string | null) => Promise<{ readonly items: readonly Item[]; readonly next: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ;) {
    const { items: some, next } = await page(cursor);
    items.push(...some);
    if (next === null) return items;
    cursor = next;
  }
}
