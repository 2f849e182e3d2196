import { lstat } from 'node:fs/promises';
import {
  WrongStackError,
  codeOf,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { locate, type Location } from '../paths/locate.js';
import { refuseSpecial } from '../paths/open-file.js';
import { replaceFile } from '../paths/replace-file.js';
import { filledText, rawInput, shown, text } from '../read-input.js';
import { encode, type TextFormat } from '../text/text-encoding.js';
import { changeCounts, describeChange } from './file-change.js';
import { changedSinceRead, readTextFile, type TextFile } from './text-file.js';
import { changeCard } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

const UTF8: TextFormat = { encoding: 'utf8', bom: new Uint8Array(0) };

export const writeTool: Tool<WriteInput, RichToolOutput> = {
  name: 'write',
  description:
    'Write a whole file; folders are created. An existing file must have been read before. To change parts, use edit.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', minLength: 1 }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  permission: 'confirm',
  mutating: true,
  riskTier: 'standard',
  capabilities: ['fs.write'],
  category: 'Filesystem',
  timeoutMs: 30_000,
  maxOutputBytes: 8_000,
  execute,
  describeCall: (input, ctx) => pathClaims([{ path: shown(input, 'path'), access: 'write' }], ctx),
  presentCall: (input) => {
    const path = shown(input, 'path', 'write');
    return {
      card: 'diff',
      title: path,
      diffs: [{ path, oldText: null, newText: shown(input, 'content') }],
      locations: [{ path }],
    };
  },
  presentResult: (input, result) => changeCard(shown(input, 'path', 'write'), result),
};

async function execute(input: WriteInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const path = filledText(raw, 'path');
  const content = text(raw, 'content');
  const utf8 = encode(content, UTF8);
  if (utf8 === null) {
    throw new WrongStackError(
      'fs.not_encodable',
      'content holds half of a surrogate pair: it has no UTF-8 form',
    );
  }
  const location = await locate(ctx, opts, path, 'write');
  return ctx.withPathLock(location.real, async () => {
    await refuseBlind(ctx, location);
    const before = location.exists ? await present(location) : null;
    opts.signal.throwIfAborted();
    const kept = before?.format === undefined ? utf8 : keptForm(content, before.format);
    await replaceFile(location, { bytes: kept ?? utf8, before: before?.stat ?? null });
    await ctx.recordWrite(location.real);
    const meta = await describeChange(
      { real: location.real, display: location.display },
      before === null ? null : (before.text ?? ''),
      content,
    );
    const verb = before === null ? 'created' : 'wrote';
    const form = kept === null ? ' (as UTF-8: its encoding cannot hold this content)' : '';
    return {
      content: [{ type: 'text', text: `${verb} ${location.display} ${changeCounts(meta)}${form}` }],
      meta,
    };
  });
}

/** In the form that the file has: its encoding and its byte order mark. Null where that cannot hold the content. */
function keptForm(content: string, format: TextFormat): Uint8Array | null {
  // The mark is the file's: content that brings one of its own does not get two.
  return encode(format.bom.length > 0 ? content.replace(/^\ufeff/, '') : content, format);
}

/** Overwriting needs a look at what is lost: the file as it is now must be what was last read. */
async function refuseBlind(ctx: Context, location: Location): Promise<void> {
  if (!location.exists) return;
  const state = await ctx.readState(location.real);
  switch (state.kind) {
    case 'fresh':
    case 'missing':
      return;
    case 'stale':
      throw changedSinceRead(location.display);
    case 'unread':
      // A folder or a device was never read either; its own message says more.
      refuseSpecial(location.display, await lstat(location.real));
      throw new WrongStackError(
        'fs.unread',
        `${location.display} exists and was never read: read it before overwriting`,
      );
  }
}

interface Present extends Pick<TextFile, 'stat'> {
  /** Undefined for a binary or huge file, whose old content no card shows. */
  readonly text: string | undefined;
  readonly format: TextFormat | undefined;
}

async function present(location: Location): Promise<Present> {
  try {
    return await readTextFile(location);
  } catch (error) {
    if (codeOf(error) !== 'fs.binary' && codeOf(error) !== 'fs.too_large') throw error;
    const stat = await lstat(location.real, { bigint: true });
    refuseSpecial(location.display, stat);
    return { stat, text: undefined, format: undefined };
  }
}
