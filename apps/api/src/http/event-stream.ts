import { drained } from './drained.js';
import type { Reply } from './reply.js';

/** One event of a stream. `id` is what a client that reconnects sends as Last-Event-ID. */
export interface StreamEvent {
  readonly name: string;
  readonly id: string | number | null;
  readonly data: unknown;
}

/** A sign of life, so that no proxy takes a quiet stream for a dead one. */
export const STILL_THERE = Symbol('still there');
const LOOK_EVERY_MS = 1_000;

/** Server-sent events until the source ends or the client goes. A client that reads slowly slows the source down. */
export async function sendEvents(
  reply: Reply,
  source: AsyncIterable<StreamEvent | typeof STILL_THERE>,
  signal: AbortSignal,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // A stream that ends because the server does must not leave a connection that is waited for.
    connection: 'close',
  });
  try {
    for await (const event of whileStanding(source, reply.request.stillStands)) {
      if (signal.aborted) break;
      await write(raw, event === STILL_THERE ? ': still there\n\n' : textOf(event), signal);
    }
  } finally {
    raw.end();
  }
}

/** Nobody goes on listening whose session is over. Looked at between events, which includes the signs of life of a quiet stream. */
async function* whileStanding(
  source: AsyncIterable<StreamEvent | typeof STILL_THERE>,
  stillStands: (() => Promise<boolean>) | undefined,
): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
  let lookedAt = performance.now();
  for await (const event of source) {
    if (stillStands !== undefined && performance.now() - lookedAt >= LOOK_EVERY_MS) {
      if (!(await stillStands())) {
        yield { name: 'session-ended', id: null, data: {} };
        return;
      }
      lookedAt = performance.now();
    }
    yield event;
  }
}

/** Aborted when the client goes away. */
export function closedSignal(reply: Reply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  return closed.signal;
}

async function write(raw: Reply['raw'], text: string, signal: AbortSignal): Promise<void> {
  if (!raw.write(text)) await drained(raw, signal);
}

function textOf({ name, id, data }: StreamEvent): string {
  const head = id === null ? '' : `id: ${id}\n`;
  return `event: ${name}\n${head}data: ${JSON.stringify(data)}\n\n`;
}
