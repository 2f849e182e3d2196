import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { WrongStackError } from '@wrongstack/contracts';

/** Settings are written by people: more than this is not them. */
const MAX_BYTES = 1024 * 1024;

/** A repository chooses what its file is: never waits on a pipe, and never reads a device without end. */
export async function readConfigText(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile())
      throw new WrongStackError('config.unreadable', `${file}: is no regular file; replace it or remove it`);
    if (stats.size > MAX_BYTES)
      throw new WrongStackError('config.unreadable', `${file}: is larger than 1 MiB; cut it down`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
