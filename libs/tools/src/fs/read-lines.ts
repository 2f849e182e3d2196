import { isAscii } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import type { Encoding, TextFormat } from '../text/text-encoding.js';
import { LineCollector, type LineWindow, type LinesRead } from './line-collector.js';

/** Fills the buffer from `position` of the file as far as it reaches; returns how many bytes came, 0 at the end. */
export type ReadBytes = (buffer: Buffer, position: number) => number;

export interface FileStart {
  /** The first bytes of the file, byte order mark included. Its memory is used again for what follows. */
  readonly buffer: Buffer;
  readonly length: number;
  readonly format: TextFormat;
}

/** About a megabyte: as long as the event loop, and with it whoever wants to abort, waits. */
const CHUNKS_PER_TURN = 16;
const LABELS = { utf8: 'utf-8', utf16le: 'utf-16le', utf16be: 'utf-16be' } as const;

/**
 * Some lines of a file, reading no further than they reach: the first lines of a huge file cost their own bytes, and a
 * line without end costs what is shown of it. Memory: one buffer, and what is returned.
 */
export async function readLines(
  start: FileStart,
  read: ReadBytes,
  window: LineWindow,
  signal: AbortSignal,
): Promise<LinesRead> {
  const { buffer, format } = start;
  const collector = new LineCollector(window);
  const decode = decoderOf(format.encoding);
  let position = start.length;
  let ended = position === 0;
  let chunk = buffer.subarray(format.bom.length, position);
  for (let chunks = 1; ; chunks += 1) {
    signal.throwIfAborted();
    collector.push(decode(chunk, !ended));
    if (ended) return collector.finish();
    if (collector.done) return collector.result(undefined);
    const bytes = read(buffer, position);
    position += bytes;
    ended = bytes === 0;
    chunk = buffer.subarray(0, bytes);
    if (chunks % CHUNKS_PER_TURN === 0) await turn();
  }
}

type DecodeChunk = (bytes: Buffer, more: boolean) => string;

/** Decodes piece by piece: a character that lies across two pieces comes with the second. */
function decoderOf(encoding: Encoding): DecodeChunk {
  // `latin1` as TextDecoder knows it is windows-1252, which has no answer for some bytes.
  if (encoding === 'latin1') return (bytes) => bytes.toString('latin1');
  const decoder = new TextDecoder(LABELS[encoding], { ignoreBOM: true });
  if (encoding !== 'utf8') return (bytes, more) => decoder.decode(bytes, { stream: more });
  let waiting = false;
  return (bytes, more) => {
    // Copying is many times as fast as decoding, where nothing of the piece before is waiting.
    if (!waiting && isAscii(bytes)) return bytes.toString('latin1');
    waiting = (bytes.at(-1) ?? 0) >= 0x80;
    return decoder.decode(bytes, { stream: more });
  };
}
