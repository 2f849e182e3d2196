import { drained } from './drained.js';
import type { Reply } from './reply.js';

/** A body that is sent as it comes into being. A client that reads slowly slows its source down; one that goes ends it. */
export async function sendText(
  reply: Reply,
  headers: Readonly<Record<string, string>>,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const { raw } = reply;
  const iterator = pieces[Symbol.asyncIterator]();
  // What fails before there is anything to send is an answer like any other.
  let next = await iterator.next();
  reply.hijack();
  raw.writeHead(200, { 'cache-control': 'no-store', ...headers });
  try {
    for (; next.done !== true && !signal.aborted; next = await iterator.next())
      if (!raw.write(next.value)) await drained(raw, signal);
    raw.end();
  } catch (error) {
    // Half an answer must not look like a whole one: the connection breaks instead of ending.
    raw.destroy();
    if (!signal.aborted) throw error;
  } finally {
    await iterator.return?.();
  }
}
