/** `limit`: 1..1000. `cursor`: the `next` of the page before, unchanged; null or absent for the first page. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | null;
}

/** `next`: null on the last page. Items that are added meanwhile never shift or repeat those of a later page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}
