import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '@wrongstack/contracts';
import { readLines } from '../files/read-lines.js';
import type { AuditRecord, ChainHead } from './audit-record.js';
import { hashOf, headFileName, parseAuditFileName, parseRecord } from './audit-record.js';

export type AuditProblemKind =
  /** A line that is no record. */
  | 'unreadable'
  /** The rest of a write that was interrupted: it was never acknowledged. */
  | 'torn'
  /** The content is not what was hashed. */
  | 'altered'
  /** Records are missing before this one. */
  | 'gap'
  /** A record of earlier or of an equal number comes after a later one. */
  | 'order'
  /** It does not continue the record before it. */
  | 'broken-link'
  /** It belongs to another chain than its file. */
  | 'foreign'
  /** The chain once went further than its records do. */
  | 'truncated';

export interface AuditProblem {
  readonly kind: AuditProblemKind;
  readonly file: string;
  /** From 1; null where the problem is what is not there. */
  readonly line: number | null;
  readonly message: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly chains: number;
  readonly records: number;
  readonly problems: readonly AuditProblem[];
}

/**
 * Checks every chain of a folder. Changes nothing. Heads are read before records: a chain that is written to meanwhile
 * is then further than its head, which is no fault.
 */
export async function verifyAudit(folder: string): Promise<AuditReport> {
  const heads = await readHeads(folder);
  // A head whose files are all gone accuses too.
  const chains = new Map<string, { name: string; part: number }[]>(
    [...heads.keys()].map((chain) => [chain, []]),
  );
  for (const name of await namesIn(folder)) {
    const parsed = parseAuditFileName(name);
    if (parsed) chains.set(parsed.chain, [...(chains.get(parsed.chain) ?? []), { name, part: parsed.part }]);
  }
  const problems: AuditProblem[] = [];
  let records = 0;
  for (const [chain, files] of chains) {
    const check = new ChainCheck(chain, problems);
    for (const { name } of files.sort((a, b) => a.part - b.part)) await check.file(folder, name);
    check.end(heads.get(chain));
    records += check.records;
  }
  return { ok: problems.length === 0, chains: chains.size, records, problems };
}

/** Nothing was ever recorded where there is no folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readIfThere(folder, () => readdir(folder))) ?? [];
}

async function readHeads(folder: string): Promise<Map<string, ChainHead>> {
  const heads = new Map<string, ChainHead>();
  for (const name of await namesIn(folder)) {
    const chain = /^(a-[a-z0-9]+)\.head$/.exec(name)?.[1];
    const head = chain === undefined ? undefined : await readHead(join(folder, name));
    if (chain !== undefined && head !== undefined) heads.set(chain, head);
  }
  return heads;
}

class ChainCheck {
  records = 0;
  private highest = -1;
  private readonly hashes = new Map<number, string>();
  private lastFile = '';

  constructor(
    private readonly chain: string,
    private readonly problems: AuditProblem[],
  ) {}

  async file(folder: string, name: string): Promise<void> {
    this.lastFile = name;
    const handle = await open(join(folder, name), 'r');
    try {
      for await (const line of readLines(handle)) {
        const record = line.bytes === null ? undefined : parseRecord(line.bytes);
        if (!line.complete) this.report('torn', name, line.number, 'the last write was interrupted');
        else if (record === undefined) this.report('unreadable', name, line.number, 'is not an audit record');
        else this.record(record, name, line.number);
      }
    } finally {
      await handle.close();
    }
  }

  end(head: ChainHead | undefined): void {
    if (head === undefined) return;
    const file = this.lastFile || headFileName(this.chain);
    if (head.seq > this.highest) {
      const message = `records ${this.highest + 1} to ${head.seq} are missing from the end`;
      this.report('truncated', file, null, message);
    } else if (this.hashes.get(head.seq) !== head.hash) {
      this.report('broken-link', file, null, `record ${head.seq} is not the one that was written`);
    }
  }

  /** After a problem the chain is taken up again where it is, so that one defect is not reported at every line. */
  private record(record: AuditRecord, file: string, line: number): void {
    this.records += 1;
    const { seq } = record;
    const next = this.highest + 1;
    const before = seq === 0 ? null : this.hashes.get(seq - 1);
    if (record.chain !== this.chain) this.report('foreign', file, line, `belongs to chain ${record.chain}`);
    if (hashOf(record) !== record.hash) this.report('altered', file, line, `record ${seq} was changed`);
    if (seq < next) {
      this.report('order', file, line, `record ${seq} comes after ${this.highest}`);
    } else if (seq > next) {
      const missing = seq - 1 === next ? `record ${next}` : `records ${next} to ${seq - 1}`;
      this.report('gap', file, line, `${missing} missing before record ${seq}`);
    } else if (before !== undefined && record.prev !== before) {
      this.report('broken-link', file, line, `record ${seq} does not continue the one before it`);
    }
    this.hashes.set(seq, record.hash);
    this.highest = Math.max(this.highest, seq);
  }

  private report(kind: AuditProblemKind, file: string, line: number | null, message: string): void {
    this.problems.push({ kind, file, line, message });
  }
}

async function readHead(file: string): Promise<ChainHead | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { chain, seq, hash } = value as Record<string, unknown>;
    if (typeof chain !== 'string' || typeof seq !== 'string' || typeof hash !== 'string') return undefined;
    return { chain, seq: Number(seq), hash };
  } catch {
    return undefined;
  }
}
