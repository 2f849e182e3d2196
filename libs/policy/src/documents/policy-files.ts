import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { WrongStackError } from '@wrongstack/contracts';
import { MAX_DOCUMENT_BYTES } from './document-source.js';

/** What loading policies needs of a disk; rejects with Node errno errors. */
export interface PolicyFiles {
  list(folder: string): Promise<readonly string[]>;
  /** Changes whenever the file does. */
  stamp(file: string): Promise<string>;
  read(file: string): Promise<string>;
}

export const nodePolicyFiles: PolicyFiles = {
  list: (folder) => readdir(folder),
  stamp: async (file) => {
    const { mtimeNs, ctimeNs, size, ino, dev } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino, dev].join(':');
  },
  read: readBounded,
};

/** Never blocks on a FIFO, never reads an endless device, and refuses bytes that are no UTF-8. */
async function readBounded(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new WrongStackError('policy.unreadable', 'is no regular file: replace it');
    if (stats.size > MAX_DOCUMENT_BYTES) {
      throw new WrongStackError('policy.unreadable', 'is larger than 1 MiB: split it');
    }
    const bytes = await handle.readFile();
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } finally {
    await handle.close();
  }
}
