import type { FileHandle } from 'node:fs/promises';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../files/private-files.js';

export const RESERVE_BYTES = 4 * 1024 * 1024;

const BLOCK = 256 * 1024;

/**
 * Disk space kept for records that must be written even when the disk is full: a file of real blocks that is given
 * back when they are needed, and made again when there is room. All processes that share the folder share it.
 */
export class DiskReserve {
  constructor(
    private readonly file: string,
    private readonly bytes: number = RESERVE_BYTES,
  ) {}

  /** Whether it is there in full afterwards. Never throws: without a reserve there is just less to fall back on. */
  async fill(): Promise<boolean> {
    if ((await this.size()) >= this.bytes) return true;
    let handle: FileHandle | undefined;
    try {
      const { bavail, bsize } = await statfs(dirname(this.file));
      // Taking the last free space would bring about what it is meant for.
      if (bavail * bsize < this.bytes * 2) return false;
      handle = await open(this.file, 'w', PRIVATE_FILE);
      // A sparse file reserves nothing, so it is written.
      const block = Buffer.alloc(Math.min(BLOCK, this.bytes), 0x57);
      for (let left = this.bytes; left > 0; left -= block.length) {
        await handle.writeFile(left < block.length ? block.subarray(0, left) : block);
      }
      return true;
    } catch {
      await rm(this.file, { force: true });
      return false;
    } finally {
      await handle?.close();
    }
  }

  /** Gives the space back; false when there was none. */
  async release(): Promise<boolean> {
    if ((await this.size()) === 0) return false;
    await rm(this.file, { force: true });
    return true;
  }

  private async size(): Promise<number> {
    try {
      return (await stat(this.file)).size;
    } catch {
      return 0;
    }
  }
}
