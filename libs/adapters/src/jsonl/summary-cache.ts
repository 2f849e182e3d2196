import { readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { writePrivateFile } from '../files/private-files.js';
import { readLines } from '../files/read-lines.js';
import { parseEntry } from './session-lines.js';
import type { SummarySoFar } from './session-summary.js';
import { EMPTY_SUMMARY, foldSummary, isSummary } from './session-summary.js';

/** Reading so much again is cheaper than keeping the sidecar up to date. */
const WORTH_KEEPING = 64 * 1024;

interface Sidecar {
  /** Bytes of the log that `summary` covers. */
  readonly size: number;
  readonly summary: SummarySoFar;
}

/**
 * The summary of a log without reading what an earlier listing has read: logs only grow, so a sidecar remembers how far
 * it got. It is a cache; without it, or with a wrong one, the log is read again.
 */
export async function summarise(handle: FileHandle, sidecarFile: string): Promise<SummarySoFar> {
  const { size } = await handle.stat();
  const known = await readSidecar(sidecarFile);
  const start = known !== undefined && known.size <= size ? known.size : 0;
  let summary = start > 0 && known !== undefined ? known.summary : EMPTY_SUMMARY;
  let covered = start;
  for await (const line of readLines(handle, { start, end: size })) {
    if (!line.complete) break;
    const entry = line.bytes === null ? undefined : parseEntry(line.bytes);
    if (entry) summary = foldSummary(summary, entry);
    covered = line.offset + (line.bytes?.length ?? 0) + 1;
  }
  if (covered - start >= WORTH_KEEPING) await keep(sidecarFile, { size: covered, summary });
  return summary;
}

async function keep(file: string, sidecar: Sidecar): Promise<void> {
  try {
    await writePrivateFile(file, JSON.stringify(sidecar));
  } catch {
    // A listing must work on a full or read-only disk.
  }
}

async function readSidecar(file: string): Promise<Sidecar | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { size, summary } = value as Record<string, unknown>;
    return Number.isSafeInteger(size) && isSummary(summary) ? { size: size as number, summary } : undefined;
  } catch {
    return undefined;
  }
}
