import type { BigIntStats } from 'node:fs';
import { WrongStackError } from '@wrongstack/contracts';
import type { Location } from '../paths/locate.js';
import { openFile } from '../paths/open-file.js';
import { decode, detectFormat, type TextFormat } from '../text/text-encoding.js';

/** More than any file that is sensibly changed by naming text in it. */
const MOST_BYTES = 50 * 1024 * 1024;

export interface TextFile {
  readonly text: string;
  readonly format: TextFormat;
  readonly stat: BigIntStats;
}

/** The whole of a text file, with what is needed to write it back in the same form. */
export async function readTextFile(location: Location): Promise<TextFile> {
  const { handle, stat } = await openFile(location);
  try {
    if (stat.size > MOST_BYTES) {
      throw new WrongStackError(
        'fs.too_large',
        `${location.display} has ${String(stat.size)} bytes: files over ${MOST_BYTES} bytes are changed with bash, not with this tool`,
      );
    }
    const bytes = await handle.readFile();
    const format = detectFormat(bytes, true);
    if (format === null) {
      throw new WrongStackError('fs.binary', `${location.display} is binary: it cannot be changed as text`);
    }
    return { text: decode(bytes, format), format, stat };
  } finally {
    await handle.close();
  }
}

/** Somebody else changed a file between its reading and its change: what was decided about is no longer there. */
export function changedSinceRead(display: string): WrongStackError {
  return new WrongStackError('fs.stale', `${display} changed since it was read: read it again first`);
}
