import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The real path of a workspace where it is, or lies below, a folder that the operator allows; null where it does not: a link that leads out
 * of one, a folder that is not there, and everything else look the same, so that nobody learns what lies on this machine.
 * `elsewhere`: runs are executed on machines that may have folders which this one has not. They look again.
 */
export async function allowedWorkspace(
  asked: string,
  allowed: readonly string[],
  elsewhere: boolean,
): Promise<string | null> {
  if (!path.isAbsolute(asked) || asked.includes('\0')) return null;
  const wanted = path.resolve(asked);
  const real = await realFolder(wanted);
  for (const folder of allowed) {
    const root = await realFolder(folder);
    if (root === null) {
      if (elsewhere && isWithin(wanted, folder)) return wanted;
    } else if (real !== null && isWithin(real, root)) return real;
  }
  return null;
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root + path.sep);
}

async function realFolder(folder: string): Promise<string | null> {
  try {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
