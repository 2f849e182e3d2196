import { readdir } from 'node:fs/promises';
import path from 'node:path';

const MOST = 200;

/** Entries that begin with what was typed after `@`, folders with a trailing slash. */
export async function findFiles(cwd: string, prefix: string): Promise<readonly string[]> {
  const slash = prefix.lastIndexOf('/') + 1;
  const folder = prefix.slice(0, slash);
  const start = prefix.slice(slash).toLowerCase();
  const entries = await readdir(path.resolve(cwd, folder), { withFileTypes: true });
  return entries
    .filter(
      ({ name }) => name.toLowerCase().startsWith(start) && (start.startsWith('.') || !name.startsWith('.')),
    )
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort()
    .slice(0, MOST);
}
