import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { locate, type Location } from '../paths/locate.js';
import { notFound } from '../paths/open-file.js';
import { replaceFile } from '../paths/replace-file.js';
import { filledText, optionalFlag, rawInput, shown, text } from '../read-input.js';
import { encode, type TextFormat } from '../text/text-encoding.js';
import { applyEdit, type EditRequest, type Edited } from './apply-edit.js';
import { changeCounts, describeChange } from './file-change.js';
import { changedSinceRead, readTextFile, type TextFile } from './text-file.js';
import { changeCard } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface EditInput {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

const NEW_FILE: TextFormat = { encoding: 'utf8', bom: new Uint8Array(0) };

export const editTool: Tool<EditInput, RichToolOutput> = {
  name: 'edit',
  description:
    'Replace old_string by new_string in a file. old_string must be there once (or set replace_all); an empty one creates a file.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      old_string: { type: 'string' },
      new_string: { type: 'string' },
      replace_all: { type: 'boolean' },
    },
    required: ['path', 'old_string', 'new_string'],
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
  // Read too: what an edit finds and does not find tells what the file holds.
  describeCall: (input, ctx) => {
    const path = shown(input, 'path');
    return pathClaims(
      [
        { path, access: 'read' },
        { path, access: 'write' },
      ],
      ctx,
    );
  },
  presentCall: (input) => {
    const path = shown(input, 'path', 'edit');
    const oldText = shown(input, 'old_string');
    return {
      card: 'diff',
      title: path,
      diffs: [{ path, oldText: oldText === '' ? null : oldText, newText: shown(input, 'new_string') }],
      locations: [{ path }],
    };
  },
  presentResult: (input, result) => changeCard(shown(input, 'path', 'edit'), result),
};

async function execute(input: EditInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const path = filledText(raw, 'path');
  const request: EditRequest = {
    oldText: text(raw, 'old_string'),
    newText: text(raw, 'new_string'),
    replaceAll: optionalFlag(raw, 'replace_all', false),
  };
  if (request.oldText === request.newText) {
    throw new WrongStackError('edit.no_change', 'old_string and new_string are the same: nothing to do');
  }
  const location = await locate(ctx, opts, path, 'write');
  return ctx.withPathLock(location.real, () =>
    location.exists ? change(location, request, ctx, opts) : create(location, request, ctx, opts),
  );
}

async function change(
  location: Location,
  request: EditRequest,
  ctx: Context,
  opts: ToolOptions,
): Promise<RichToolOutput> {
  const file = await readTextFile(location);
  if (request.oldText === '' && file.text !== '') {
    throw new WrongStackError(
      'edit.not_empty',
      `${location.display} is not empty: an empty old_string only creates a file; name the text to replace`,
    );
  }
  // An edit of a file that was never read is no blind overwrite: it names what it replaces.
  const state = await ctx.readState(location.real);
  if (state.kind === 'stale') {
    throw changedSinceRead(location.display);
  }
  const edited: Edited =
    request.oldText === ''
      ? { text: request.newText, replaced: 1, how: null }
      : applyEdit(file.text, request, location.display);
  opts.signal.throwIfAborted();
  await replaceFile(location, { bytes: bytesOf(edited.text, file, location), before: file.stat });
  await ctx.recordWrite(location.real);
  const meta = await describeChange(location, file.text, edited.text);
  const times = edited.replaced > 1 ? `, ${edited.replaced} places` : '';
  const how = edited.how === null ? '' : ` (matched ${edited.how})`;
  return {
    content: [{ type: 'text', text: `edited ${location.display} ${changeCounts(meta)}${times}${how}` }],
    meta,
  };
}

async function create(
  location: Location,
  request: EditRequest,
  ctx: Context,
  opts: ToolOptions,
): Promise<RichToolOutput> {
  if (request.oldText !== '') throw notFound(location.display);
  opts.signal.throwIfAborted();
  const bytes = bytesOf(request.newText, { format: NEW_FILE }, location);
  await replaceFile(location, { bytes, before: null });
  await ctx.recordWrite(location.real);
  const meta = await describeChange(location, null, request.newText);
  return { content: [{ type: 'text', text: `created ${location.display} ${changeCounts(meta)}` }], meta };
}

function bytesOf(content: string, file: Pick<TextFile, 'format'>, location: Location): Uint8Array {
  const bytes = encode(content, file.format);
  if (bytes === null) {
    throw new WrongStackError(
      'fs.not_encodable',
      `new_string has characters that ${location.display} (${file.format.encoding}) cannot hold: nothing was written`,
    );
  }
  return bytes;
}
