const DAY_MS = 86_400_000;
/** A laptop that was closed for a month reports what it did then. */
export const OLDEST_DAYS = 62;

/** The day that a report counts for: what a clock that is wrong, or nobody, says is today. UTC, `2026-12-01`. */
export function dayOf(said: string | undefined, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  if (said === undefined || said > today || Number.isNaN(Date.parse(said))) return today;
  return said < new Date(now - OLDEST_DAYS * DAY_MS).toISOString().slice(0, 10) ? today : said;
}
