import {
  WrongStackError,
  type Context,
  type RichToolOutput,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { optionalInteger, optionalText, rawInput, shown } from '../read-input.js';
import { SEARCH_DEADLINE_MS, SEARCH_TIMEOUT_MS, searchRoot } from './search-root.js';
import { lineName } from './line-name.js';
import { walk } from './walk.js';
import { titledCards } from '../cards.js';
import { pathClaims } from '../claims.js';

export interface TreeInput {
  readonly path?: string;
  readonly depth?: number;
  readonly limit?: number;
}

const DEFAULT_DEPTH = 3;
const DEFAULT_LIMIT = 300;

export const treeTool: Tool<TreeInput, RichToolOutput> = {
  name: 'tree',
  description: 'Show folders and files as an indented tree, without ignored files.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      depth: { type: 'integer', minimum: 1, maximum: 20, description: 'Default 3' },
      limit: { type: 'integer', minimum: 1, maximum: 5000 },
    },
    additionalProperties: false,
  },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['fs.read'],
  category: 'Filesystem',
  idempotent: true,
  timeoutMs: SEARCH_TIMEOUT_MS,
  maxOutputBytes: 64_000,
  estimatedDurationMs: 100,
  execute,
  describeCall: (input, ctx) => pathClaims([{ path: shown(input, 'path', '.'), access: 'read' }], ctx),
  ...titledCards('read', (input) => shown(input, 'path', '.')),
};

async function execute(input: TreeInput, ctx: Context, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const depth = optionalInteger(raw, 'depth', { min: 1, max: 20, fallback: DEFAULT_DEPTH });
  const limit = optionalInteger(raw, 'limit', { min: 1, max: 5000, fallback: DEFAULT_LIMIT });
  const root = await searchRoot(ctx, opts, optionalText(raw, 'path') ?? '.');
  if (root.kind === 'file') {
    throw new WrongStackError('fs.not_a_folder', `${root.spelled} is a file: read it`);
  }
  const deadline = AbortSignal.timeout(SEARCH_DEADLINE_MS);
  const lines: string[] = [];
  const notes: string[] = [];
  try {
    const signal = AbortSignal.any([opts.signal, deadline]);
    collect: for await (const group of walk(root.real, { depth, signal })) {
      for (const entry of group) {
        if (lines.length === limit) {
          notes.push(`more than ${limit} entries: name a folder as path, or raise limit`);
          break collect;
        }
        const name = entry.path.slice(entry.path.lastIndexOf('/') + 1);
        const mark = entry.kind === 'file' ? '' : entry.depth === depth ? '/ …' : '/';
        lines.push(`${'  '.repeat(entry.depth - 1)}${lineName(name)}${mark}`);
      }
    }
  } catch (error) {
    if (!deadline.aborted || opts.signal.aborted) throw error;
    notes.push('it took too long and was ended: name a smaller folder as path');
  }
  if (lines.length === 0) notes.push('the folder is empty');
  const text = [...lines, ...notes.map((note) => `[${note}]`)].join('\n');
  return { content: [{ type: 'text', text }], meta: { count: lines.length } };
}
