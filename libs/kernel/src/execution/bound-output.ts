import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, messageOf } from '@wrongstack/contracts';
import type { CallId, ContentBlock, ToolResult } from '@wrongstack/contracts';

const LARGEST_IMAGE = 8 * 1024 * 1024;

export interface BoundedResult {
  readonly result: ToolResult;
  readonly truncated: boolean;
  /** The file that holds the whole text, when it was cut and could be kept. */
  readonly spill: string | null;
}

/**
 * Cut the text of an already scrubbed result to `maxBytes` of UTF-8, at character boundaries, keeping head and tail. The
 * whole text goes to a private file that the result names, so nothing is lost silently.
 */
export async function boundOutput(
  result: ToolResult,
  options: { readonly maxBytes: number; readonly scratchDir: string; readonly call: CallId },
): Promise<BoundedResult> {
  const content = result.content.map(affordableImage);
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const size = Buffer.byteLength(text);
  if (size <= options.maxBytes) return { result: { ...result, content }, truncated: false, spill: null };
  const { head, tail } = headAndTail(text, options.maxBytes);
  const left = size - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const spilled = await spill(text, options.scratchDir, options.call);
  const where =
    'file' in spilled
      ? `the whole output is in ${spilled.file}`
      : `it could not be kept (${spilled.problem})`;
  const notice = `[output truncated: ${left} of ${size} bytes left out here; ${where}]`;
  const blocks: readonly ContentBlock[] = [
    ...(head === '' ? [] : [{ type: 'text' as const, text: head }]),
    { type: 'text', text: notice },
    ...(tail === '' ? [] : [{ type: 'text' as const, text: tail }]),
    ...content.filter(({ type }) => type !== 'text'),
  ];
  return {
    result: { ...result, content: blocks },
    truncated: true,
    spill: 'file' in spilled ? spilled.file : null,
  };
}

/** Both ends of a text, together at most `maxBytes`, neither cut inside a character. */
export function headAndTail(
  text: string,
  maxBytes: number,
): { readonly head: string; readonly tail: string } {
  const bytes = Buffer.from(text, 'utf8');
  let headEnd = Math.floor(maxBytes / 2);
  while (headEnd > 0 && isContinuation(bytes[headEnd])) headEnd -= 1;
  let tailStart = Math.max(headEnd, bytes.length - (maxBytes - headEnd));
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart += 1;
  return { head: bytes.toString('utf8', 0, headEnd), tail: bytes.toString('utf8', tailStart) };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

async function spill(
  text: string,
  scratchDir: string,
  call: CallId,
): Promise<{ readonly file: string } | { readonly problem: string }> {
  // The id comes from a model or its provider, so it names no file itself.
  const name = `output-${createHash('sha256').update(call).digest('hex').slice(0, 16)}.txt`;
  const file = join(scratchDir, name);
  try {
    await mkdir(scratchDir, { recursive: true, mode: 0o700 });
    return await writeNew(file, text);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

async function writeNew(file: string, text: string): Promise<{ readonly file: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const candidate = attempt === 0 ? file : file.replace(/\.txt$/, `-${attempt}.txt`);
    try {
      // Exclusive, so that neither an earlier call's output nor a planted link is written through.
      await writeFile(candidate, text, { flag: 'wx', mode: 0o600 });
      return { file: candidate };
    } catch (error) {
      if (attempt >= 20 || codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

function affordableImage(block: ContentBlock): ContentBlock {
  if (block.type !== 'image' || block.data.length <= LARGEST_IMAGE) return block;
  return { type: 'text', text: `[image of ${block.data.length} base64 characters left out: too large]` };
}
