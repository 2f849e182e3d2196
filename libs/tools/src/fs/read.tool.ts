import { createHash } from 'node:crypto';
import { closeSync, createReadStream, readSync } from 'node:fs';
import type { Context, RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { locate } from '../paths/locate.js';
import { openDescriptor } from '../paths/open-descriptor.js';
import { filledText, optionalInteger, rawInput, shown } from '../read-input.js';
import { detectFormat } from '../text/text-encoding.js';
import type { LinesRead } from './line-collector.js';
import { readLines, type ReadBytes } from './read-lines.js';
import { pathClaims } from '../claims.js';

export interface ReadInput {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

const DEFAULT_LINES = 2000;
const MOST_LINE_CHARACTERS = 2000;
const MOST_CHARACTERS = 100_000;
/** Holds all that one call returns of plain characters, so that one read is enough. */
const CHUNK_BYTES = 112 * 1024;
/** The buffer of the call before: fresh memory of this size costs as much as reading a file into it. */
let spareBuffer: Buffer | undefined;
/** Of a binary file the size always is told; beyond this, hashing costs more than the answer is worth. */
const MOST_HASHED_BYTES = 256 * 1024 * 1024;

/**
 * Lines come without numbers: models copy a number prefix into `old_string`, and it costs tokens on every line. The
 * note behind the text says which lines they are.
 */
export const readTool: Tool<ReadInput, RichToolOutput> = {
  name: 'read',
  description:
    'Read a text file, 2000 lines at most; offset and limit pick others. Text comes without line numbers.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      offset: { type: 'integer', minimum: 1, description: 'First line, from 1' },
      limit: { type: 'integer', minimum: 1, maximum: 20_000 },
    },
    required: ['path'],
    additionalProperties: false,
  },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['fs.read'],
  category: 'Filesystem',
  idempotent: true,
  timeoutMs: 30_000,
  maxOutputBytes: 320_000,
  execute,
  describeCall: (input, ctx) => pathClaims([{ path: shown(input, 'path'), access: 'read' }], ctx),
  presentCall: (input) => {
    const path = shown(input, 'path', 'read');
    const line = typeof input.offset === 'number' ? input.offset : undefined;
    return {
      card: 'generic',
      kind: 'read',
      title: path,
      locations: [{ path, ...(line === undefined ? {} : { line }) }],
    };
  },
  presentResult: (input, result) => ({
    card: 'generic',
    title: shown(input, 'path', 'read'),
    content: result.content,
  }),
};

async function execute(input: ReadInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const path = filledText(raw, 'path');
  const offset = optionalInteger(raw, 'offset', { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: 1 });
  const limit = optionalInteger(raw, 'limit', { min: 1, max: 20_000, fallback: DEFAULT_LINES });
  const location = await locate(ctx, opts, path, 'read');
  const { descriptor, stat } = openDescriptor(location);
  const buffer = spareBuffer ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  spareBuffer = undefined;
  try {
    const read: ReadBytes = (into, position) => readSync(descriptor, into, 0, into.length, position);
    const length = read(buffer, 0);
    const format = detectFormat(buffer.subarray(0, length), length >= stat.size);
    if (format === null)
      return notes(await describeBinary(descriptor, stat.size, opts.signal), { binary: true });
    const window = {
      offset,
      limit,
      mostLineCharacters: MOST_LINE_CHARACTERS,
      mostCharacters: MOST_CHARACTERS,
    };
    const lines = await readLines({ buffer, length, format }, read, window, opts.signal);
    ctx.recordRead(location.real, stat.mtimeMs);
    const encoding = format.encoding === 'utf8' ? undefined : format.encoding;
    return render(lines, { offset, bytes: stat.size, encoding });
  } finally {
    spareBuffer = buffer;
    closeSync(descriptor);
  }
}

async function describeBinary(descriptor: number, size: number, signal: AbortSignal): Promise<string> {
  if (size > MOST_HASHED_BYTES) return `binary file, ${size} bytes`;
  const hash = createHash('sha256');
  // The path is not used where there is a descriptor.
  const stream = createReadStream('', { fd: descriptor, start: 0, autoClose: false, signal });
  for await (const chunk of stream) hash.update(chunk as Buffer); // a stream without encoding yields buffers
  return `binary file, ${size} bytes, sha256 ${hash.digest('hex')}`;
}

function render(
  read: LinesRead,
  file: { readonly offset: number; readonly bytes: number; readonly encoding: string | undefined },
): RichToolOutput {
  const { offset } = file;
  const { count } = read;
  const about: string[] = [];
  if (read.totalLines === 0) return notes('the file is empty', { lines: 0 });
  if (count === 0) {
    const total = read.totalLines ?? 0;
    return notes(`nothing at line ${offset}: the file has ${total} lines`, { lines: 0 });
  }
  const end = offset + count - 1;
  if (read.totalLines === undefined) {
    about.push(
      `lines ${offset}-${end}; more follow (${file.bytes} bytes in all), go on with offset ${end + 1}`,
    );
  } else if (offset > 1) {
    about.push(`lines ${offset}-${end}, the end of the file`);
  }
  if (read.cutLines > 0) about.push(`${read.cutLines} long lines cut`);
  if (read.crlf) about.push('CRLF line endings');
  if (file.encoding !== undefined) about.push(`encoding ${file.encoding}`);
  const text = { type: 'text', text: read.text } as const;
  const note = { type: 'text', text: `[${about.join('; ')}]` } as const;
  return { content: about.length === 0 ? [text] : [text, note], meta: { lines: count, offset } };
}

function notes(text: string, meta: Readonly<Record<string, unknown>>): RichToolOutput {
  return { content: [{ type: 'text', text: `[${text}]` }], meta };
}
