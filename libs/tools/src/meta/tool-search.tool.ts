import type { RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { filledText, optionalInteger, rawInput, shown } from '../read-input.js';
import { catalogueOf } from './catalogue-of.js';
import { rankTools } from './rank-tools.js';
import { toolLine } from './tool-lines.js';
import { noClaims } from '../claims.js';
import { titledCards } from '../cards.js';

export interface ToolSearchInput {
  readonly query: string;
  readonly limit?: number;
}

const DEFAULT_LIMIT = 8;
const MOST = 30;

export const toolSearchTool: Tool<ToolSearchInput, RichToolOutput> = {
  name: 'tool-search',
  description: 'Find tools by what they do: words of names, descriptions, categories, capabilities.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 500 },
      limit: { type: 'integer', minimum: 1, maximum: MOST, description: `Default ${DEFAULT_LIMIT}` },
    },
    required: ['query'],
    additionalProperties: false,
  },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['tool.meta'],
  category: 'Tools',
  idempotent: true,
  timeoutMs: 10_000,
  maxOutputBytes: 64_000,
  estimatedDurationMs: 5,
  execute,
  describeCall: noClaims,
  ...titledCards('search', (input) => shown(input, 'query')),
};

async function execute(input: ToolSearchInput, _ctx: unknown, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const query = filledText(raw, 'query').slice(0, 500);
  const limit = optionalInteger(raw, 'limit', { min: 1, max: MOST, fallback: DEFAULT_LIMIT });
  opts.signal.throwIfAborted();
  const tools = catalogueOf(opts).list();
  const found = rankTools(tools, query);
  const lines = found.slice(0, limit).map(({ tool }) => toolLine(tool));
  if (found.length > limit) lines.push(`[${found.length - limit} more: raise limit or say more]`);
  if (found.length === 0)
    lines.push(`No tool matches; there are: ${tools.map(({ name }) => name).join(', ')}`);
  return { content: [{ type: 'text', text: lines.join('\n') }], meta: { count: found.length } };
}
