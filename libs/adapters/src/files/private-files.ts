import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Makes a folder that its owner alone can enter; one that already exists is tightened. */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if (isExposed((await stat(folder)).mode)) await chmod(folder, PRIVATE_FOLDER);
}

/** Whether others may use it. Mode bits say nothing on Windows, where the profile's own list protects the folder. */
export function isExposed(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/** All or nothing, also across a crash: a 0600 file beside the target, synced, then renamed over it. */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const beside = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(beside, 'wx', PRIVATE_FILE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (thrown) {
    await rm(beside, { force: true });
    throw thrown;
  }
  await syncFolder(dirname(file));
}

/** Makes a new or renamed entry durable. Not every platform lets folders be synced; there it is the best that can be had. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows, and some network file systems.
  }
}
