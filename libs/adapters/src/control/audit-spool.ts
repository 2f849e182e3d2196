import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '@wrongstack/contracts';
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  type AuditBatch,
  type ShippedRecord,
} from '@wrongstack/contracts/wire';
import { parseAuditFileName, parseRecord, type AuditRecord } from '../audit/audit-record.js';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';
import { readLines } from '../files/read-lines.js';

/** How far the server has one chain. */
export interface ShipCursor {
  /** Every record up to it is committed there; -1 = none. */
  readonly acknowledged: number;
  readonly hash: string | null;
  /** Where the next record is looked for. */
  readonly file: string | null;
  readonly offset: number;
  /** Records that the server will never take, by number and problem code. */
  readonly rejected: readonly { readonly seq: number; readonly code: string }[];
  /** Decisions from before the enrolment: not the server's. */
  readonly skip: boolean;
}

/** Records of a chain that go together, and where the cursor stands once they are acknowledged. */
export interface SpooledBatch {
  readonly batch: AuditBatch;
  readonly after: ShipCursor;
}

const START: ShipCursor = { acknowledged: -1, hash: null, file: null, offset: 0, rejected: [], skip: false };

/** The local chained log, seen as what has yet to reach the server. It is read, never changed; cursors lie beside it. */
export class AuditSpool {
  constructor(
    private readonly auditFolder: string,
    private readonly cursorFolder: string,
    /** Chains that began before are left out; null = none. */
    private readonly since: string | null,
  ) {}

  async sources(): Promise<readonly string[]> {
    return [...(await this.chains()).keys()].sort();
  }

  async cursor(source: string): Promise<ShipCursor> {
    try {
      const value: unknown = JSON.parse(await readFile(this.cursorFile(source), 'utf8'));
      // A cursor that says too little only makes records be sent again, which the server knows how to take.
      if (isCursor(value)) return value;
    } catch {
      // Torn, or none yet.
    }
    return START;
  }

  async keep(source: string, cursor: ShipCursor): Promise<void> {
    await ensurePrivateFolder(this.cursorFolder);
    await writePrivateFile(this.cursorFile(source), JSON.stringify(cursor));
  }

  /** The next batch of a chain; null = all of it has been shipped. Records of a batch follow one another without gaps. */
  async next(
    source: string,
    limits = { records: MAX_BATCH_RECORDS, bytes: MAX_BATCH_BYTES },
  ): Promise<SpooledBatch | null> {
    let cursor = await this.cursor(source);
    if (cursor.skip) return null;
    const records: ShippedRecord[] = [];
    let prev: string | null = null;
    let bytes = 0;
    for (const file of (await this.chains()).get(source) ?? []) {
      if (cursor.file !== null && file < cursor.file) continue;
      const handle = await open(join(this.auditFolder, file), 'r');
      try {
        for await (const line of readLines(handle, { start: file === cursor.file ? cursor.offset : 0 })) {
          // The end of a write that is under way, or that never was acknowledged to anybody.
          if (!line.complete) break;
          const record = line.bytes === null ? undefined : parseRecord(line.bytes);
          const length = line.bytes?.length ?? 0;
          const end = line.offset + length + 1;
          if (record === undefined || record.seq <= cursor.acknowledged) {
            if (records.length === 0) cursor = { ...cursor, file, offset: end };
            continue;
          }
          if (records.length === 0 && cursor.acknowledged < 0 && this.isEarlier(record)) {
            await this.keep(source, { ...START, skip: true });
            return null;
          }
          const last = records.at(-1);
          const full = records.length >= limits.records || bytes + length > limits.bytes;
          if (last !== undefined && (record.seq !== last.seq + 1 || full))
            return batchOf(source, records, prev, cursor);
          if (last === undefined) prev = record.prev;
          records.push({ seq: record.seq, hash: record.hash, entry: record.entry });
          bytes += length;
          cursor = { ...cursor, file, offset: end };
        }
      } finally {
        await handle.close();
      }
    }
    return records.length === 0 ? null : batchOf(source, records, prev, cursor);
  }

  /** Bytes of the log that the server does not have. */
  async pendingBytes(): Promise<number> {
    let bytes = 0;
    for (const [source, files] of await this.chains()) {
      const cursor = await this.cursor(source);
      if (cursor.skip) continue;
      for (const file of files) {
        if (cursor.file !== null && file < cursor.file) continue;
        const { size } = await stat(join(this.auditFolder, file)).catch(() => ({ size: 0 }));
        bytes += size - (file === cursor.file ? Math.min(size, cursor.offset) : 0);
      }
    }
    return bytes;
  }

  /** ISO 8601 of the first record that the server does not have; null = it has all. */
  async oldestPending(): Promise<string | null> {
    let oldest: string | null = null;
    for (const source of await this.sources()) {
      const next = await this.next(source, { records: 1, bytes: MAX_BATCH_BYTES });
      // Every record of the log has a time.
      const first = next?.batch.records[0]?.entry as { readonly ts: string } | undefined;
      if (first !== undefined && (oldest === null || first.ts < oldest)) oldest = first.ts;
    }
    return oldest;
  }

  private isEarlier(record: AuditRecord): boolean {
    return this.since !== null && Date.parse(record.entry.ts) < Date.parse(this.since);
  }

  /** Files of each chain in order. */
  private async chains(): Promise<Map<string, string[]>> {
    const chains = new Map<string, { name: string; part: number }[]>();
    for (const name of await namesIn(this.auditFolder)) {
      const parsed = parseAuditFileName(name);
      if (parsed !== undefined)
        chains.set(parsed.chain, [...(chains.get(parsed.chain) ?? []), { name, part: parsed.part }]);
    }
    return new Map(
      [...chains].map(([chain, files]) => [
        chain,
        files.sort((a, b) => a.part - b.part).map(({ name }) => name),
      ]),
    );
  }

  private cursorFile(source: string): string {
    return join(this.cursorFolder, `${source}.json`);
  }
}

function batchOf(
  source: string,
  records: readonly ShippedRecord[],
  prev: string | null,
  cursor: ShipCursor,
): SpooledBatch {
  const first = records[0]?.seq ?? 0;
  const last = records.at(-1);
  const after = {
    ...cursor,
    acknowledged: last?.seq ?? cursor.acknowledged,
    hash: last?.hash ?? cursor.hash,
  };
  return { batch: { source, first, prev, records }, after };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readIfThere(folder, () => readdir(folder))) ?? [];
}

function isCursor(value: unknown): value is ShipCursor {
  if (typeof value !== 'object' || value === null) return false;
  const { acknowledged, file, offset, rejected, skip } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(acknowledged) &&
    (file === null || typeof file === 'string') &&
    Number.isSafeInteger(offset) &&
    Array.isArray(rejected) &&
    typeof skip === 'boolean'
  );
}
