import type { RichToolOutput, Tool, ToolOptions, ToolSummary } from '@wrongstack/contracts';
import { filledText, rawInput, shown } from '../read-input.js';
import { catalogueOf } from './catalogue-of.js';
import { exampleInput } from './example-input.js';
import { rankTools } from './rank-tools.js';
import { askText } from './tool-lines.js';
import { noClaims } from '../claims.js';
import { titledCards } from '../cards.js';

export interface ToolHelpInput {
  readonly name: string;
}

const MOST_SUGGESTED = 3;

export const toolHelpTool: Tool<ToolHelpInput, RichToolOutput> = {
  name: 'tool-help',
  description: 'Explain one tool: usage, input schema, an example, what it may touch.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 200 } },
    required: ['name'],
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
  ...titledCards('read', (input) => shown(input, 'name')),
};

async function execute(input: ToolHelpInput, _ctx: unknown, opts: ToolOptions): Promise<RichToolOutput> {
  const name = filledText(rawInput(input), 'name');
  opts.signal.throwIfAborted();
  const tools = catalogueOf(opts).list();
  const tool = tools.find((one) => one.name === name);
  const text = tool === undefined ? unknown(name, tools) : helpOn(tool);
  return { content: [{ type: 'text', text }], meta: { found: tool !== undefined } };
}

function helpOn(tool: ToolSummary): string {
  const { capabilities, permission, riskTier, mutating, category, owner } = tool;
  const tier = riskTier === 'unknown' ? 'none declared, counts as standard' : riskTier;
  return [
    `${tool.name}${category === null ? '' : ` (${category})`}${owner === 'core' ? '' : `, from ${owner}`}`,
    tool.description,
    ...(tool.usageHint === null ? [] : [tool.usageHint]),
    '',
    `capabilities: ${capabilities.length === 0 ? 'none declared' : capabilities.join(', ')}`,
    `permission: ${permission === 'unknown' ? 'none declared' : permission}; ${askText(permission)}`,
    `risk: ${tier}; ${mutating ? 'may change things' : 'changes nothing'}`,
    '',
    'input schema:',
    JSON.stringify(tool.inputSchema, null, 1),
    '',
    'example input:',
    JSON.stringify(exampleInput(tool.inputSchema)),
  ].join('\n');
}

function unknown(name: string, tools: readonly ToolSummary[]): string {
  const near = rankTools(tools, name)
    .slice(0, MOST_SUGGESTED)
    .map(({ tool }) => tool.name);
  const help = near.length === 0 ? 'tool-search finds tools by what they do' : `near: ${near.join(', ')}`;
  return `There is no tool named ${JSON.stringify(name.slice(0, 80))}; ${help}.`;
}
