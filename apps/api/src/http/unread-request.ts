import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { titleOf } from '../errors/problem-status.js';

/** How long a caller may take, and how often connections are looked at: one that is too slow is let go within the sum of both. */
export interface CallerPatience {
  readonly headersMs: number;
  /** Headers and body. */
  readonly requestMs: number;
  readonly lookEveryMs: number;
}

export const CALLER_PATIENCE: CallerPatience = { headersMs: 15_000, requestMs: 30_000, lookEveryMs: 5_000 };

const TAKEN_WITHIN_MS = 1_000;
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';
const HEAD_TOO_LARGE = 'HPE_HEADER_OVERFLOW';

/** A request that never became one is answered as any other: with a problem, and the end of its connection. */
export function endUnread(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(answerTo(error.code));
  // What was said goes out first, but nobody is waited for who does not take it.
  socket.destroySoon();
  setTimeout(() => socket.destroy(), TAKEN_WITHIN_MS).unref();
}

function answerTo(reason: string | undefined): string {
  const [status, code, detail] = problemOf(reason);
  const title = titleOf(status);
  const body = JSON.stringify({
    type: 'about:blank',
    ...{ title, status, code, detail },
    requestId: randomUUID(),
  });
  return [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

function problemOf(reason: string | undefined): readonly [number, string, string] {
  if (reason === TOO_SLOW)
    return [
      408,
      'request.too_slow',
      'the request did not arrive in time: send it at once, or in smaller parts',
    ];
  if (reason === HEAD_TOO_LARGE)
    return [431, 'request.head_too_large', 'the headers are too long: send fewer, or shorter ones'];
  return [400, 'request.malformed', 'this is no HTTP request'];
}
