import type { FileChange, FileDiff } from '@wrongstack/contracts';
import { unify } from '../text/line-endings.js';

/** What a tool that changed a file keeps beside its result: cards are drawn from it, also when a session is replayed. */
export interface FileChangeMeta {
  readonly files: readonly FileChange[];
  readonly diffs: readonly FileDiff[];
}

const CONTEXT_LINES = 3;
const MOST_HUNK_CHARACTERS = 32 * 1024;
/** Beyond it the exact diff is not worth its time: the change is shown as one block. */
const MOST_EDIT_LENGTH = 4000;

/** `real` names the file in counts, `display` on the card. The texts may have any line endings. */
export async function describeChange(
  file: { readonly real: string; readonly display: string },
  before: string | null,
  after: string,
): Promise<FileChangeMeta> {
  // Loaded here: starting the program must not pay for a diff.
  const { structuredPatch } = await import('diff');
  // Endings are unified for show: a card of a CRLF file is about its lines.
  const [oldText, newText] = [unify(before ?? '').text, unify(after).text];
  const patch = structuredPatch('', '', oldText, newText, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDIT_LENGTH,
  });
  const hunks = patch?.hunks ?? [wholeFile(oldText, newText)];
  let added = 0;
  let removed = 0;
  let left = MOST_HUNK_CHARACTERS;
  const diffs: FileDiff[] = [];
  for (const hunk of hunks) {
    added += hunk.lines.filter((line) => line.startsWith('+')).length;
    removed += hunk.lines.filter((line) => line.startsWith('-')).length;
    const diff: FileDiff = {
      path: file.display,
      oldText: before === null ? null : side(hunk.lines, '-'),
      newText: side(hunk.lines, '+'),
      oldStart: hunk.oldStart,
      newStart: hunk.newStart,
    };
    left -= (diff.oldText?.length ?? 0) + diff.newText.length;
    if (left >= 0) diffs.push(diff);
  }
  return { files: [{ path: file.real, added, removed }], diffs };
}

function side(lines: readonly string[], sign: '-' | '+'): string {
  return lines
    .filter((line) => line.startsWith(sign) || line.startsWith(' '))
    .map((line) => line.slice(1))
    .join('\n');
}

function wholeFile(before: string, after: string): { oldStart: number; newStart: number; lines: string[] } {
  const signed = (text: string, sign: string): string[] =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => sign + line);
  return { oldStart: 1, newStart: 1, lines: [...signed(before, '-'), ...signed(after, '+')] };
}

/** `+2 -1`. */
export function changeCounts(meta: FileChangeMeta): string {
  const { added, removed } = meta.files[0] ?? { added: 0, removed: 0 };
  return `+${added} -${removed}`;
}

/** The meta of a stored result, if it is one: a log may hold anything. */
export function changeMeta(meta: unknown): FileChangeMeta | undefined {
  if (typeof meta !== 'object' || meta === null || !('diffs' in meta) || !Array.isArray(meta.diffs))
    return undefined;
  if (!('files' in meta) || !Array.isArray(meta.files)) return undefined;
  // Written by describeChange; a member of another shape only makes an odd card.
  return meta as FileChangeMeta;
}
