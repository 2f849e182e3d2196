import { errorParts } from '../readable-error.js';
import { formatDuration } from './format.js';
import { line, span, wrapLine, type Line } from './lines.js';
import { messages } from './messages.js';
import type { Look } from './theme.js';

export interface RetryFacts {
  readonly attempt: number;
  readonly of: number;
  readonly waitMs: number;
  readonly status: number | null;
  readonly reason: string;
}

/** `! model busy (429) · try 3 of 6 in 4 s · Esc gives up`. */
export function retryLine(retry: RetryFacts, look: Look): Line {
  const wait = formatDuration(Math.ceil(retry.waitMs / 1_000) * 1_000).replace('.0 s', ' s');
  const parts =
    retry.status === null
      ? messages.errors.unsteady(retry.reason, retry.attempt, retry.of, wait)
      : messages.errors.busy(retry.status, retry.attempt, retry.of, wait);
  // Keys work only where keys are read.
  const shown = look.plain ? parts.slice(0, -1) : parts;
  return line(span(`${look.marks.warning} ${shown.join(look.marks.dot)}`, 'asks'));
}

export interface ErrorFacts {
  readonly message: string;
  readonly hint: string | null;
}

export function errorFacts(thrown: unknown): ErrorFacts & { readonly code: string } {
  return errorParts(thrown);
}

/** `✗ model unreachable: 127.0.0.1:4010 refused · wstack diag`: one message and what to do about it. Never a stack trace. */
export function errorLines(error: ErrorFacts, look: Look): Line[] {
  const text = [error.message, error.hint ?? '']
    .filter((part) => part !== '')
    .map((part) => part.replace(/\s*\n\s*/g, ' '))
    .join(look.marks.dot);
  return wrapLine(line(span(`${look.marks.failed} ${text}`, 'failed')), look.columns, '  ');
}

/** The known name with the fewest edits, when it is close enough to be what was meant. */
export function nearestName(given: string, known: readonly string[]): string | null {
  let best: { name: string; edits: number } | null = null;
  for (const name of known) {
    const edits = editDistance(given, name);
    if (best === null || edits < best.edits) best = { name, edits };
  }
  return best !== null && best.edits <= Math.max(2, Math.floor(given.length / 3)) ? best.name : null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
