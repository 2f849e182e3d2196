import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { codeOf, WrongStackError } from '@wrongstack/contracts';

/**
 * A file of our own folder, links not followed. Anything that is no file is refused: a FIFO would wait for a writer for
 * ever, and so would everything that has to read the folder. Throws `storage.not_a_file` and what opening throws.
 */
export async function openRegular(file: string, flags: number): Promise<FileHandle> {
  const handle = await open(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (thrown: unknown) => {
      // What the system calls too many links is one, and it is not followed.
      throw codeOf(thrown) === 'ELOOP' ? notAFile(file, 'is a symbolic link', thrown) : thrown;
    },
  );
  const stats = await handle.stat().catch(() => null);
  if (stats?.isFile() === true) return handle;
  await handle.close();
  throw notAFile(file, 'is no regular file');
}

function notAFile(file: string, what: string, cause?: unknown): WrongStackError {
  return new WrongStackError('storage.not_a_file', `${file} ${what}`, {
    hint: 'move it away; nothing of ours writes such a thing there',
    ...(cause !== undefined && { cause }),
  });
}
