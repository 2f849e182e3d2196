import type { OwnTasks } from '@wrongstack/contracts';

export interface EventReply {
  readonly raw: {
    writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
    write(text: string): boolean;
    end(): unknown;
    once(event: 'close' | 'drain', listener: () => void): unknown;
  };
  hijack(): unknown;
  send(body: unknown): unknown;
}

const STEP_BYTES = 64 * 1024;
const WAIT_MS = 15_000;

/** Server-sent events: each carries the cursor after it as its id, so that a client that reconnects loses nothing. */
export async function streamOutput(
  own: OwnTasks,
  id: string,
  from: number,
  reply: EventReply,
  signal: AbortSignal,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (let cursor = from; !signal.aborted;) {
    const reading = await own.output(id, { cursor, maxBytes: STEP_BYTES, waitMs: WAIT_MS }, signal);
    if (reading === null) break;
    const { output, task } = reading;
    cursor = output.next;
    if (output.text !== '' || output.lost > 0) {
      await send(raw, event('output', cursor, { text: output.text, lost: output.lost }), signal);
    } else if (!output.done) await send(raw, ': still there\n\n', signal);
    if (output.done) {
      await send(raw, event('end', cursor, { state: task.state, exit: task.exit }), signal);
      break;
    }
  }
  raw.end();
}

/** A client that reads slowly slows the reading down, and does not fill the memory. */
async function send(raw: EventReply['raw'], text: string, signal: AbortSignal): Promise<void> {
  if (raw.write(text) || signal.aborted) return;
  await new Promise<void>((resolve) => {
    raw.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function event(name: string, cursor: number, data: unknown): string {
  return `event: ${name}\nid: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`;
}
