import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { PRIVATE_FILE } from '../files/private-files.js';
import { parseEntry } from './session-lines.js';

const STEP = 64 * 1024;

export interface TailRepair {
  /** Size of the file now; it ends with a newline, or is empty. */
  readonly size: number;
  /** What was done, for a `repair` entry; null when nothing was wrong. */
  readonly what: string | null;
}

/**
 * Mends a last line that was not finished. A whole entry that lacks only its newline gets it; anything else is moved to
 * `tornFile` first and cut off then, so that a crash in between loses nothing.
 */
export async function repairTail(handle: FileHandle, tornFile: string): Promise<TailRepair> {
  const { size } = await handle.stat();
  const start = await lastLineStart(handle, size);
  if (start === size) return { size, what: null };
  const tail = Buffer.alloc(size - start);
  await handle.read(tail, 0, tail.length, start);
  if (parseEntry(tail) !== undefined) {
    await handle.appendFile('\n');
    return { size: size + 1, what: 'the last line lacked its newline' };
  }
  const torn = await open(tornFile, 'a', PRIVATE_FILE);
  try {
    await torn.appendFile(Buffer.concat([tail, Buffer.from('\n')]));
    await torn.sync();
  } finally {
    await torn.close();
  }
  await handle.truncate(start);
  return {
    size: start,
    what: `the last line was cut off; its ${tail.length} bytes are kept in ${basename(tornFile)}`,
  };
}

/** Behind the last newline; 0 when there is none. Looks at the end alone. */
async function lastLineStart(handle: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - STEP);
    const buffer = Buffer.alloc(end - start);
    await handle.read(buffer, 0, buffer.length, start);
    const newline = buffer.lastIndexOf(10);
    if (newline !== -1) return start + newline + 1;
    end = start;
  }
  return 0;
}
