import type { RichToolOutput, Tool, ToolOptions } from '@wrongstack/contracts';
import { rawInput, shown } from '../read-input.js';
import { innerCallsOf } from './catalogue-of.js';
import { contentOf, innerCallFrom, metaOf, runInner } from './inner-report.js';
import { noClaims } from '../claims.js';
import { titledCards } from '../cards.js';

export interface ToolUseInput {
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Each tool has a limit of its own; this one is only there so that no call lasts for ever. */
export const INNER_TIMEOUT_MS = 3_600_000;
export const INNER_OUTPUT_BYTES = 262_144;

/**
 * Runs unasked because it does nothing itself: the inner call is decided, asked about and recorded as any call. It can be
 * granted nothing either, so that trusting it can never mean trusting every tool.
 */
export const toolUseTool: Tool<ToolUseInput, RichToolOutput> = {
  name: 'tool-use',
  description: 'Run one tool by name, as found by tool-search. Decided like a direct call.',
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string', minLength: 1, maxLength: 200 }, input: { type: 'object' } },
    required: ['tool'],
    additionalProperties: false,
  },
  permission: 'auto',
  mutating: true,
  riskTier: 'standard',
  capabilities: ['tool.mutate.any'],
  category: 'Tools',
  timeoutMs: INNER_TIMEOUT_MS,
  maxOutputBytes: INNER_OUTPUT_BYTES,
  execute,
  describeCall: noClaims,
  ...titledCards('execute', (input) => shown(input, 'tool')),
};

async function execute(input: ToolUseInput, _ctx: unknown, opts: ToolOptions): Promise<RichToolOutput> {
  const call = innerCallFrom(rawInput(input), 'tool');
  opts.signal.throwIfAborted();
  const outcome = await runInner(innerCallsOf(opts), call, opts.signal);
  return {
    content: contentOf(outcome),
    isError: outcome.result.isError,
    meta: { inner: [metaOf(outcome)] },
  };
}
