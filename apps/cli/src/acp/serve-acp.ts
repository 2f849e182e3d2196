import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { AcpAgent, type AcpAgentOptions } from './acp-agent.js';
import { boundedLines } from './bounded-lines.js';

/** An image or a whole file fits; a line beyond it is no prompt that anybody typed. */
const MOST_MESSAGE_BYTES = 24 * 1024 * 1024;
/** One longer line than ours: what is too long is answered here, not there. */
const STREAM_BYTES = MOST_MESSAGE_BYTES + 1024;

export interface AcpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serve one editor until it goes away or `signal` aborts. Resolves when every session has ended. */
export async function serveAcp(
  options: AcpAgentOptions,
  { input, output }: AcpStreams,
  signal: AbortSignal,
): Promise<void> {
  const agent = new AcpAgent(options);
  // Node's web streams and the library's differ in name only.
  const bytes = Readable.toWeb(input) as ReadableStream<Uint8Array>;
  const stream = ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    bytes.pipeThrough(boundedLines(MOST_MESSAGE_BYTES)),
    { maxMessageBytes: STREAM_BYTES },
  );
  const connection = agent.app().connect(stream);
  const stop = (): void => connection.close();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await connection.closed;
  } catch {
    // An editor that died in the middle of a message is gone all the same.
  } finally {
    signal.removeEventListener('abort', stop);
    await agent.close();
  }
}
