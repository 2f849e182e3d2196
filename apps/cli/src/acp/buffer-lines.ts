import type { RichToolOutput } from '@wrongstack/contracts';

const DEFAULT_LINES = 2_000;
const MOST_LINE_CHARACTERS = 2_000;
const MOST_CHARACTERS = 100_000;

/** Lines of an unsaved text, with the same limits and notes as lines of a file. */
export function bufferLines(
  text: string,
  { offset = 1, limit = DEFAULT_LINES }: { readonly offset?: number; readonly limit?: number },
): RichToolOutput {
  const all = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  const about = ['unsaved text of the editor'];
  const lines: string[] = [];
  let characters = 0;
  let cut = 0;
  for (const line of all.slice(offset - 1, offset - 1 + limit)) {
    const shown = line.slice(0, MOST_LINE_CHARACTERS);
    characters += shown.length + 1;
    if (characters > MOST_CHARACTERS) break;
    if (shown.length < line.length) cut += 1;
    lines.push(shown);
  }
  const end = offset + lines.length - 1;
  if (lines.length === 0) about.push(`nothing at line ${offset}: it has ${all.length} lines`);
  else if (end < all.length) about.push(`lines ${offset}-${end}; more follow, go on with offset ${end + 1}`);
  else if (offset > 1) about.push(`lines ${offset}-${end}, the end`);
  if (cut > 0) about.push(`${cut} long lines cut`);
  return {
    content: [
      { type: 'text', text: lines.join('\n') },
      { type: 'text', text: `[${about.join('; ')}]` },
    ],
    meta: { lines: lines.length, offset },
  };
}
