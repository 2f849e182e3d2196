import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { WrongStackError } from '@wrongstack/contracts';

/**
 * A file of our own folder, links not followed. Anything that is no file is refused: a FIFO would wait for a writer for
 * ever, and so would everything that has to read the folder. Throws `storage.not_a_file` and what opening throws.
 */
export async function openRegular(file: string, flags: number): Promise<FileHandle> {
  const handle = await open(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat().catch(() => null);
  if (stats?.isFile() === true) return handle;
  await handle.close();
  throw new WrongStackError('storage.not_a_file', `${file} is no regular file`, {
    hint: 'move it away; nothing of ours writes such a thing there',
  });
}
