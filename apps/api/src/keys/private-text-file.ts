import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, readTextIfThere } from '@wrongstack/contracts';

const MOST_BYTES = 64 * 1024;

/** The text of a file that is ours alone; null where there is none. */
export async function readPrivateText(file: string): Promise<string | null> {
  return (await readTextIfThere(file, { mostBytes: MOST_BYTES }))?.trim() ?? null;
}

/** Writes it once, 0600 and durable. False where it exists: of two that start at once, one writes. */
export async function writePrivateText(file: string, text: string): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    const handle = await open(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    try {
      await handle.writeFile(`${text}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
