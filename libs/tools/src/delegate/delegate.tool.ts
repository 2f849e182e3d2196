import {
  WrongStackError,
  type RichToolOutput,
  type SubagentReport,
  type Tool,
  type ToolOptions,
} from '@wrongstack/contracts';
import { shown } from '../read-input.js';
import { BUDGET, taskFrom } from './delegate-input.js';
import { reportText } from './report-text.js';
import { noClaims } from '../claims.js';

export interface DelegateInput {
  readonly task: string;
  readonly name?: string;
  readonly capabilities?: readonly string[];
  readonly budget?: {
    readonly iterations?: number;
    readonly tool_calls?: number;
    readonly tokens?: number;
    readonly seconds?: number;
  };
}

/** Longer than the longest time that a subagent may ask for: its own limit gives an answer, this one only ends. */
const TIMEOUT_MS = (BUDGET.seconds.max + 120) * 1000;

/**
 * Asks, because a subagent spends money and goes on by itself. What it does is decided call by call: dangerous capabilities
 * are outside of what a subagent may do unless a policy names subagents and that capability, and starting further subagents
 * is one of them.
 */
export const delegateTool: Tool<DelegateInput, RichToolOutput> = {
  name: 'delegate',
  description: 'Give one task to a subagent with its own context and budget; returns its answer.',
  usageHint:
    'Give one self-contained task to a subagent with its own context and budget; returns its final answer. It sees nothing of this conversation, so name files, goals and the form of the answer. It cannot use dangerous capabilities (shell, network, installs) unless the policy lets subagents.',
  inputSchema: {
    type: 'object',
    properties: {
      task: { type: 'string', minLength: 1, maxLength: 32_000 },
      name: { type: 'string', maxLength: 32, description: 'One lower-case word, such as reviewer' },
      capabilities: {
        type: 'array',
        maxItems: 32,
        items: { type: 'string', minLength: 1, maxLength: 100 },
        description: 'At most these, such as fs.read',
      },
      budget: {
        type: 'object',
        properties: {
          iterations: integer(BUDGET.iterations),
          tool_calls: integer(BUDGET.tool_calls),
          tokens: integer(BUDGET.tokens),
          seconds: integer(BUDGET.seconds),
        },
        additionalProperties: false,
      },
    },
    required: ['task'],
    additionalProperties: false,
  },
  permission: 'confirm',
  mutating: true,
  riskTier: 'standard',
  capabilities: ['subagent.spawn'],
  category: 'Agents',
  timeoutMs: TIMEOUT_MS,
  maxOutputBytes: 65_536,
  estimatedDurationMs: 60_000,
  execute,
  describeCall: noClaims,
  presentCall: (input) => ({
    card: 'generic',
    kind: 'think',
    title: titleOf(input),
    // The whole of it: a person who is asked must see what the subagent will be told and may use.
    rawInput: input,
  }),
  presentResult: (input, { content }) => ({ card: 'generic', title: titleOf(input), content }),
};

async function execute(input: DelegateInput, _ctx: unknown, opts: ToolOptions): Promise<RichToolOutput> {
  const task = taskFrom(input);
  opts.signal.throwIfAborted();
  if (opts.subagents === undefined) {
    throw new WrongStackError(
      'subagent.unavailable',
      'no subagent can be started here; do the task directly',
    );
  }
  const report = await opts.subagents.run(task, opts.signal);
  return {
    content: [{ type: 'text', text: reportText(report) }],
    isError: report.status === 'failed' || report.status === 'interrupted',
    meta: metaOf(report),
  };
}

/** The session is where a person finds all that it did. Files are reported by the calls that changed them. */
function metaOf({ name, session, status, calls, turns }: SubagentReport) {
  return { subagent: { name, session, status, turns, calls: calls.total, denied: calls.denied } };
}

function titleOf(input: unknown): string {
  const name = shown(input, 'name');
  const task = shown(input, 'task').split('\n')[0] ?? '';
  return name === '' ? task : `${name}: ${task}`;
}

function integer({
  min,
  max,
  fallback,
}: {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}) {
  return { type: 'integer', minimum: min, maximum: max, description: `Default ${fallback}` };
}
