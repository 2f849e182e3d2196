import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { readTextFile, UnreadableFile, WrongStackError } from '@wrongstack/contracts';
import { foundOrThrow, promptly } from '../looks/prompt-look.js';
import { MAX_DOCUMENT_BYTES } from './document-source.js';

/** What loading policies needs of a disk; rejects with Node errno errors. */
export interface PolicyFiles {
  list(folder: string): Promise<readonly string[]>;
  /** Of a file, or of a folder and the names in it. */
  stamp(place: string): Promise<Stamp>;
  read(file: string): Promise<string>;
}

export interface Stamp {
  /** Changes whenever the place does, but for a change that falls into the same moment of the disk's clock as the one before. */
  readonly text: string;
  /** Whether its last change is so long ago that whatever changes it next changes the text. */
  readonly settled: boolean;
}

/** The coarsest clock of a file system that we know of, FAT's. */
const DISK_CLOCK_MS = 2_000;

export const nodePolicyFiles: PolicyFiles = {
  list: (folder) => readdir(folder),
  stamp: (place) =>
    promptly(() => {
      const stats = foundOrThrow(statSync(place, { bigint: true, throwIfNoEntry: false }));
      const { mtimeNs, ctimeNs, ctimeMs, size, ino, dev } = stats;
      // The time of change is the disk's own and cannot be set.
      const settled = Date.now() - Number(ctimeMs) > DISK_CLOCK_MS;
      return { text: `${mtimeNs}:${ctimeNs}:${size}:${ino}:${dev}`, settled };
    }),
  read: readBounded,
};

async function readBounded(file: string): Promise<string> {
  try {
    return await readTextFile(file, { mostBytes: MAX_DOCUMENT_BYTES });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new WrongStackError('policy.unreadable', `${error.why}: put it right or remove it`, {
      cause: error,
    });
  }
}
