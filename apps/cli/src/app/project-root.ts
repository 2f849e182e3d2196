import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf, messageOf, nothingAt, WrongStackError } from '@wrongstack/contracts';

const MARKS = ['.git', '.wrongstack', '.hg'];

/** The real path of a folder to work in. Throws `usage.cwd` when it is none. */
export function workingFolder(wanted: string): string {
  try {
    const real = realpathSync(wanted);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'there is no such folder' : messageOf(error);
    throw new WrongStackError('usage.cwd', `cannot work in ${wanted}: ${reason}`, { cause: error });
  }
  throw new WrongStackError('usage.cwd', `cannot work in ${wanted}: it is no folder`);
}

/**
 * The nearest folder above that holds a repository or our settings; the folder itself when there is none. The home
 * folder's own `.wrongstack` makes no project of everything below it.
 */
export function findProjectRoot(cwd: string, home: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (folder !== home && MARKS.some((mark) => !nothingAt(path.join(folder, mark)))) return folder;
    if (path.dirname(folder) === folder) return cwd;
  }
}
