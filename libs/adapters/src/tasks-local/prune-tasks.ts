import { isFinalState, type TaskRecord } from '@wrongstack/contracts';
import { keptOutput, removeSegments, SEGMENT_BYTES } from './output-segments.js';
import type { TaskFiles } from './task-files.js';

export interface Retention {
  /** How long a task that has ended is remembered. */
  readonly keepMs: number;
  /** Most bytes of output of all tasks that have ended; the oldest goes first. */
  readonly mostBytes: number;
}

export const RETENTION: Retention = {
  keepMs: 7 * 24 * 3600 * 1000,
  mostBytes: 1024 * 1024 * 1024,
};

/**
 * Forget old tasks, and the output of older ones where all of it together takes too much room. A task whose output is gone
 * keeps its record: whoever reads it is told how many bytes are lost.
 */
export async function pruneTasks(files: TaskFiles, retention: Retention, now: number): Promise<void> {
  const ended: TaskRecord[] = [];
  for (const id of await files.ids()) {
    const record = files.read(id)?.record;
    if (record === undefined || !isFinalState(record.state)) continue;
    if (now - Date.parse(record.endedAt ?? record.createdAt) > retention.keepMs) await files.remove(record);
    else ended.push(record);
  }
  ended.sort((a, b) => ((a.endedAt ?? '') < (b.endedAt ?? '') ? 1 : -1));
  let bytes = 0;
  for (const { id } of ended) {
    const folder = files.folder(id);
    const { start, end } = keptOutput(folder, SEGMENT_BYTES);
    bytes += end - start;
    if (bytes > retention.mostBytes) removeSegments(folder);
  }
}
