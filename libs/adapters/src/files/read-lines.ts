import type { FileHandle } from 'node:fs/promises';

/** A longer line is no record of ours; it is reported and not kept in memory. */
const LONGEST_LINE = 64 * 1024 * 1024;
const CHUNK = 256 * 1024;

export interface ByteLine {
  /** Without its newline; null when it is too long to be looked at. */
  readonly bytes: Buffer | null;
  /** From 1. */
  readonly number: number;
  /** False for the rest of a file that does not end with a newline. */
  readonly complete: boolean;
  /** Where the line begins in the file. */
  readonly offset: number;
}

/**
 * Lines of a range of a file as bytes, in bounded memory. Only LF ends a line: U+2028 and its like are part of JSON
 * strings, and readers that split at them tear records apart.
 */
export async function* readLines(
  handle: FileHandle,
  range: { readonly start?: number; readonly end?: number; readonly firstNumber?: number } = {},
): AsyncGenerator<ByteLine, void, undefined> {
  const end = range.end ?? Number.MAX_SAFE_INTEGER;
  let position = range.start ?? 0;
  let number = range.firstNumber ?? 1;
  let parts: Buffer[] = [];
  let length = 0;
  let offset = position;
  while (position < end) {
    // A fresh buffer each time, since lines are slices of it.
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, end - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      length += at - from;
      const bytes = length > LONGEST_LINE ? null : joined(parts, chunk.subarray(from, at));
      yield { bytes, number, complete: true, offset };
      number += 1;
      parts = [];
      length = 0;
      from = at + 1;
      offset = position + from;
    }
    length += chunk.length - from;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(chunk.subarray(from));
    position += bytesRead;
  }
  if (length > 0) {
    const bytes = length > LONGEST_LINE ? null : Buffer.concat(parts);
    yield { bytes, number, complete: false, offset };
  }
}

function joined(parts: readonly Buffer[], last: Buffer): Buffer {
  return parts.length === 0 ? last : Buffer.concat([...parts, last]);
}
