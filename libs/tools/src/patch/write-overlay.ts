import type { Context, FileChange, FileDiff, RichToolOutput, ToolOptions } from '@wrongstack/contracts';
import { changeCounts, describeChange, type FileChangeMeta } from '../fs/file-change.js';
import { commitFiles, type CommitSteps } from './commit-files.js';
import { plannedFile, recordWritten, type FileOverlay, type OverlayFile } from './file-overlay.js';

const MOST_DIFF_CHARACTERS = 128 * 1024;
const MOST_NAMED_FILES = 60;

/** Write all drafts, or none, and say what changed: one line a file, `A`dded, `M`odified or `D`eleted. */
export async function writeOverlay(
  overlay: FileOverlay,
  ctx: Context,
  opts: ToolOptions,
  steps: CommitSteps = {},
): Promise<RichToolOutput> {
  const changed = overlay.changed();
  const planned = changed.map(plannedFile);
  const described = await describeAll(changed);
  opts.signal.throwIfAborted();
  await commitFiles(planned, steps);
  await recordWritten(ctx, changed);
  return { content: [{ type: 'text', text: described.text }], meta: described.meta };
}

/** Also for a preview: nothing is written. */
export async function describeAll(
  changed: readonly OverlayFile[],
): Promise<{ readonly text: string; readonly meta: FileChangeMeta }> {
  const files: FileChange[] = [];
  const diffs: FileDiff[] = [];
  const lines: string[] = [];
  let left = MOST_DIFF_CHARACTERS;
  for (const { location, original, draft } of changed) {
    const meta = await describeChange(location, original?.text ?? null, draft?.text ?? '');
    files.push(...meta.files);
    for (const diff of meta.diffs) {
      left -= (diff.oldText?.length ?? 0) + diff.newText.length;
      if (left >= 0) diffs.push(diff);
    }
    const letter = original === null ? 'A' : draft === null ? 'D' : 'M';
    if (lines.length < MOST_NAMED_FILES) lines.push(`${letter} ${location.display} ${changeCounts(meta)}`);
  }
  if (changed.length > lines.length) lines.push(`[${changed.length - lines.length} more files]`);
  return { text: lines.join('\n'), meta: { files, diffs } };
}

/** `3 files · +4 -2`. */
export function totalCounts(meta: FileChangeMeta): string {
  const sum = (field: 'added' | 'removed'): number =>
    meta.files.reduce((total, file) => total + file[field], 0);
  const count = meta.files.length;
  return `${count} file${count === 1 ? '' : 's'} · +${sum('added')} -${sum('removed')}`;
}
