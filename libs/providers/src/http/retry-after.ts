/** An hour: a server that asks for more is not worth waiting for, and the run should say so instead. */
const LONGEST_MS = 3_600_000;

/** Milliseconds to wait by `retry-after-ms` or `retry-after` (seconds or an HTTP date); undefined when there is none. */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number | undefined {
  const milliseconds = decimal(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return bounded(milliseconds);
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = decimal(text);
  if (seconds !== undefined) return bounded(seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

function decimal(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function bounded(milliseconds: number): number {
  return Math.min(Math.max(Math.ceil(milliseconds), 0), LONGEST_MS);
}
