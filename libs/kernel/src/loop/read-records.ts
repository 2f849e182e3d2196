import { realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '@wrongstack/contracts';
import type { ReadState } from '@wrongstack/contracts';

interface ReadRecord {
  /** As the tool gave it. */
  readonly mtimeMs: number;
  /** Taken again when it was recorded; null = it had changed by then, or could not be seen. */
  readonly seen: { readonly mtimeNs: bigint; readonly size: bigint } | null;
}

/** Which files a session has read and what they were like: the stale-write detector. */
export class ReadRecords {
  readonly #records = new Map<string, ReadRecord>();

  record(path: string, mtimeMs: number): void {
    const real = realPathOf(path);
    let seen: ReadRecord['seen'] = null;
    try {
      const info = statSync(real, { bigint: true });
      // Milliseconds as a double cannot tell two changes within a microsecond apart, nanoseconds can.
      if (sameAtPrecision(info.mtimeNs, mtimeMs)) seen = { mtimeNs: info.mtimeNs, size: info.size };
    } catch {
      // Gone already: what was read is stale, which a record without `seen` says.
    }
    this.#records.set(real, { mtimeMs, seen });
  }

  async recordPresent(path: string): Promise<void> {
    const real = realPathOf(path);
    try {
      const info = await stat(real, { bigint: true });
      this.#records.set(real, {
        mtimeMs: Number(info.mtimeNs) / 1e6,
        seen: { mtimeNs: info.mtimeNs, size: info.size },
      });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      this.#records.delete(real);
    }
  }

  has(path: string): boolean {
    return this.#records.has(realPathOf(path));
  }

  mtimeOf(path: string): number | undefined {
    return this.#records.get(realPathOf(path))?.mtimeMs;
  }

  async state(path: string): Promise<ReadState> {
    const real = realPathOf(path);
    let info;
    try {
      info = await stat(real, { bigint: true });
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { kind: 'missing' };
      throw error;
    }
    const record = this.#records.get(real);
    if (record === undefined) return { kind: 'unread' };
    const { seen } = record;
    const fresh = seen !== null && seen.mtimeNs === info.mtimeNs && seen.size === info.size;
    return { kind: fresh ? 'fresh' : 'stale' };
  }
}

/** One spelling for one file: links resolved, and for what does not exist yet those of its nearest existing parent. */
export function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPathOf(parent), basename(absolute));
  }
}

/** A caller that cut the fraction off is compared without it. */
function sameAtPrecision(mtimeNs: bigint, mtimeMs: number): boolean {
  const exact = Number(mtimeNs) / 1e6;
  if (Number.isInteger(mtimeMs)) return Math.trunc(exact) === mtimeMs || Math.round(exact) === mtimeMs;
  return Math.abs(exact - mtimeMs) < 0.001;
}
