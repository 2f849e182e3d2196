import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type Decision,
  type FileDiff,
} from '@wrongstack/contracts';

const MOST_BYTES = 1024 * 1024;

/**
 * A call says what it would put where, and no more: a tool's card is made of its input alone. A person who is asked has to
 * see it against the file as it is: which line, and what an overwritten file loses. The answer is bound to that content.
 */
export class LocatedDiffs extends ApprovalChannel {
  constructor(private readonly inner: ApprovalChannel) {
    super();
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { view, decision } = request;
    if (view.card !== 'diff') return this.inner.ask(request, signal);
    const diffs = await Promise.all(view.diffs.map((diff) => locatedDiff(diff, decision)));
    return this.inner.ask({ ...request, view: { ...view, diffs } }, signal);
  }
}

async function locatedDiff(diff: FileDiff, { facts }: Decision): Promise<FileDiff> {
  if (facts.paths === 'unknown' || diff.oldStart !== undefined) return diff;
  const real = facts.paths.find((path) => path.claimed === diff.path && path.access === 'write')?.real;
  const content = real === undefined || real === null ? null : await contentOf(real);
  return content === null ? diff : againstContent(diff, content);
}

export function againstContent(diff: FileDiff, content: string): FileDiff {
  if (diff.oldText === null) {
    return content === '' || content === diff.newText ? diff : { ...diff, oldText: content, oldStart: 1 };
  }
  const at = diff.oldText === '' ? -1 : content.indexOf(diff.oldText);
  // Several places have no one number.
  if (at < 0 || content.includes(diff.oldText, at + 1)) return diff;
  const end = at + diff.oldText.length;
  const lineStart = content.lastIndexOf('\n', at - 1) + 1;
  const newline = content.indexOf('\n', end);
  const before = content.slice(at === 0 ? 0 : lineStart, at);
  const after = content.slice(end, newline < 0 ? content.length : newline);
  return {
    ...diff,
    oldText: before + diff.oldText + after,
    newText: before + diff.newText + after,
    oldStart: content.slice(0, at).split('\n').length,
  };
}

/** Null = there is none that could be shown: the card then says what it says. */
async function contentOf(file: string): Promise<string | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stat = await handle.stat();
      return stat.isFile() && stat.size <= MOST_BYTES ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}
