const LF = 0x0a;

/** Stands for a line that was too long. A JSON text that is no message, so the connection answers it as an invalid request. */
const TOO_LONG = new TextEncoder().encode('"message too large"\n');

/**
 * Lets lines through up to a size. A longer one is dropped while it arrives, so that it costs no memory, and is answered
 * with an error instead of ending the connection and every session on it.
 */
export function boundedLines(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  let dropping = false;

  const take = (part: Uint8Array): void => {
    size += part.byteLength;
    if (size > mostBytes) {
      dropping = true;
      held = [];
    }
    if (!dropping && part.byteLength > 0) held.push(part);
  };
  const end = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (dropping) controller.enqueue(TOO_LONG);
    else for (const part of held) controller.enqueue(part);
    held = [];
    size = 0;
    dropping = false;
  };
  return new TransformStream({
    transform(chunk, controller) {
      let start = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
        take(chunk.subarray(start, at + 1));
        end(controller);
        start = at + 1;
      }
      take(chunk.subarray(start));
    },
    flush: end,
  });
}
