import { basename, dirname, resolve } from 'node:path';
import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { readTextFile } from '../fs/text-file.js';
import { locate } from '../paths/locate.js';
import type { Environment } from '../process/child-environment.js';
import { filledText, optionalInteger, optionalText, rawInput, shown, badInput } from '../read-input.js';
import { unify } from '../text/line-endings.js';
import { decode, detectFormat } from '../text/text-encoding.js';
import { blobArgv, readBlob, refuseRef } from './git-blob.js';

export interface DiffInput {
  readonly path: string;
  /** The file to compare with; missing = a version in git. */
  readonly other?: string;
  /** `HEAD` when missing; `index` = what is staged. */
  readonly ref?: string;
  readonly context?: number;
}

const MOST_EDIT_LENGTH = 20_000;

export function createDiffTool(options: {
  readonly environment: Environment;
}): Tool<DiffInput, RichToolOutput> {
  return {
    name: 'diff',
    description:
      'Unified diff of a file against another file, or against its version in git (ref: HEAD, index, a commit).',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        other: { type: 'string', minLength: 1 },
        ref: { type: 'string', minLength: 1 },
        context: { type: 'integer', minimum: 0, maximum: 50 },
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
    maxOutputBytes: 64_000,
    execute: (input, ctx, opts) => execute(input, ctx, opts, options.environment),
    describeCall: (input, ctx) => {
      const [path, other] = [shown(input, 'path'), shown(input, 'other')];
      return {
        paths: [path, ...(other === '' ? [] : [other])].map((name) => ({ path: name, access: 'read' })),
        command: other === '' ? blobArgv(shown(input, 'ref', 'HEAD'), basename(path)) : null,
        cwd: other === '' ? dirname(resolve(ctx.cwd, path)) : ctx.cwd,
        urls: [],
      };
    },
    presentCall: (input) => ({
      card: 'generic',
      kind: 'read',
      title: title(input),
      locations: [{ path: shown(input, 'path') }],
    }),
    presentResult: (input, result) => ({ card: 'generic', title: title(input), content: result.content }),
  };
}

function title(input: unknown): string {
  return `${shown(input, 'path', 'diff')} against ${shown(input, 'other', shown(input, 'ref', 'HEAD'))}`;
}

async function execute(
  input: DiffInput,
  ctx: Context,
  opts: ToolOptions,
  environment: Environment,
): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const path = filledText(raw, 'path');
  const other = optionalText(raw, 'other');
  const ref = optionalText(raw, 'ref');
  const context = optionalInteger(raw, 'context', { min: 0, max: 50, fallback: 3 });
  if (other !== undefined && ref !== undefined)
    throw badInput('ref', 'does not go with other: send one of them');
  opts.signal.throwIfAborted();
  const location = await locate(ctx, opts, path, 'read');
  const now = await readTextFile(location);
  if (other !== undefined) {
    const second = await locate(ctx, opts, other, 'read');
    const text = (await readTextFile(second)).text;
    return render(await unified(location.display, now.text, second.display, text, context));
  }
  const version = ref ?? 'HEAD';
  refuseRef(version);
  const place = { ref: version, name: basename(location.real), cwd: dirname(location.real) };
  const blob = await readBlob(place, environment, opts);
  const old = blob === null ? '' : blobText(blob, version, path);
  const before = blob === null ? '/dev/null' : `${version}:${location.display}`;
  return render(await unified(before, old, location.display, now.text, context));
}

function blobText(blob: Buffer, version: string, path: string): string {
  const format = detectFormat(blob, true);
  if (format === null) throw new WrongStackError('fs.binary', `the ${version} version of ${path} is binary`);
  return decode(blob, format);
}

interface Unified {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

/** Lines are compared: a difference in line endings alone is said, not shown. */
async function unified(
  before: string,
  oldText: string,
  after: string,
  newText: string,
  context: number,
): Promise<Unified | 'same' | 'endings'> {
  if (oldText === newText) return 'same';
  const [left, right] = [unify(oldText).text, unify(newText).text];
  if (left === right) return 'endings';
  const { structuredPatch, formatPatch } = await import('diff');
  const patch = structuredPatch(before, after, left, right, undefined, undefined, {
    context,
    maxEditLength: MOST_EDIT_LENGTH,
  });
  if (patch === undefined) {
    throw new WrongStackError(
      'diff.too_different',
      `${before} and ${after} differ too much for a diff: read them`,
    );
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const text = formatPatch(patch)
    .split('\n')
    .filter((line) => !/^(?:={3,}|Index: )/.test(line))
    .join('\n')
    .trimEnd();
  return { text, added: count('+'), removed: count('-') };
}

function render(result: Unified | 'same' | 'endings'): RichToolOutput {
  if (typeof result === 'string') {
    const text = result === 'same' ? '[no differences]' : '[only line endings differ]';
    return { content: [{ type: 'text', text }], meta: { added: 0, removed: 0 } };
  }
  const { text, added, removed } = result;
  return { content: [{ type: 'text', text }], meta: { added, removed } };
}
