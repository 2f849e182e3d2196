import { createHash } from 'node:crypto';
import { open, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { digestOf, messageOf } from '@wrongstack/contracts';
import { PluginError } from '../loader/plugin-error.js';

const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024 * 1024;
const AT_ONCE = 16;

/**
 * `sha256:…` over the names and contents of everything in a plugin's folder, its own node_modules included: what was
 * trusted is what runs. A link that leaves the folder is refused, since its target could change unseen.
 */
export async function folderDigest(name: string, root: string): Promise<string> {
  try {
    const files = await filesBelow(name, root);
    const hashes = new Map<string, string>();
    let bytes = 0;
    const queue = [...files];
    const work = async (): Promise<void> => {
      for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
        const { hash, size } = await hashOf(path.join(root, file));
        bytes += size;
        if (bytes > MOST_BYTES) throw tooLarge(name, root);
        hashes.set(file, hash);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, files.length) }, work));
    return digestOf([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch (error) {
    if (error instanceof PluginError) throw error;
    throw new PluginError('plugin.unreadable', name, `${root} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Everything that the digest covers, relative to the folder, sorted. Throws `plugin.unreadable`. */
export async function pluginFiles(name: string, root: string): Promise<readonly string[]> {
  return [...(await filesBelow(name, root))].sort();
}

async function filesBelow(name: string, root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const relative = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) await visit(relative);
      else if (entry.isFile()) files.push(relative);
      else if (entry.isSymbolicLink()) await checkLink(name, root, relative);
      if (files.length > MOST_FILES) throw tooLarge(name, root);
    }
  };
  await visit('');
  return files;
}

/** Links inside the folder are hashed where they point to. */
async function checkLink(name: string, root: string, relative: string): Promise<void> {
  const target = path.resolve(root, path.dirname(relative), await readlink(path.join(root, relative)));
  const from = path.relative(root, target);
  if (from.startsWith('..') || path.isAbsolute(from)) {
    throw new PluginError('plugin.unreadable', name, `${relative} is a link out of its folder`, {
      hint: 'replace it by what it points to',
    });
  }
}

async function hashOf(file: string): Promise<{ readonly hash: string; readonly size: number }> {
  const handle = await open(file, 'r');
  try {
    const content = await handle.readFile();
    return { hash: createHash('sha256').update(content).digest('hex'), size: content.byteLength };
  } finally {
    await handle.close();
  }
}

function tooLarge(name: string, root: string): PluginError {
  return new PluginError('plugin.unreadable', name, `${root} is too large to be checked`, {
    hint: 'ship what the plugin needs and no more',
  });
}
