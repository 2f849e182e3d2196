import type {
  ContentBlock,
  InnerCallOutcome,
  RichToolOutput,
  Tool,
  ToolOptions,
} from '@wrongstack/contracts';
import { badInput, optionalFlag, rawInput } from '../read-input.js';
import { catalogueOf, innerCallsOf } from './catalogue-of.js';
import { contentOf, innerCallFrom, metaOf, metasOf, runInner, type InnerCall } from './inner-report.js';
import { INNER_OUTPUT_BYTES, INNER_TIMEOUT_MS, type ToolUseInput } from './tool-use.tool.js';
import { noClaims } from '../claims.js';

export interface BatchToolUseInput {
  readonly calls: readonly ToolUseInput[];
  readonly continue_on_error?: boolean;
}

const MOST_CALLS = 20;
/** More read-only calls at once would only queue for the disk. */
const MOST_AT_ONCE = 8;

export const batchToolUseTool: Tool<BatchToolUseInput, RichToolOutput> = {
  name: 'batch-tool-use',
  description:
    'Run up to 20 tool calls: read-only ones at once, others in order. Stops at the first failure.',
  inputSchema: {
    type: 'object',
    properties: {
      calls: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_CALLS,
        items: {
          type: 'object',
          properties: { tool: { type: 'string', minLength: 1, maxLength: 200 }, input: { type: 'object' } },
          required: ['tool'],
          additionalProperties: false,
        },
      },
      continue_on_error: { type: 'boolean' },
    },
    required: ['calls'],
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
  presentCall: (input) => ({ card: 'generic', kind: 'execute', title: titleOf(input) }),
  presentResult: (input, { content, meta }) => {
    const ended = metasOf(meta).map(({ tool, status }) => `${tool} ${status}`);
    return { card: 'generic', title: ended.length > 0 ? ended.join(', ') : titleOf(input), content };
  },
};

async function execute(input: BatchToolUseInput, _ctx: unknown, opts: ToolOptions): Promise<RichToolOutput> {
  const raw = rawInput(input);
  const calls = callsFrom(raw['calls']);
  const goOn = optionalFlag(raw, 'continue_on_error', false);
  opts.signal.throwIfAborted();
  const inner = innerCallsOf(opts);
  const outcomes: InnerCallOutcome[] = [];
  for (const group of groupsOf(calls, opts)) {
    // What has been done so far is still worth telling.
    if (opts.signal.aborted) break;
    // All of them settled before anything is thrown: none may go on behind a call that has ended.
    const settled = await Promise.allSettled(group.map((call) => runInner(inner, call, opts.signal)));
    for (const one of settled) {
      if (one.status === 'rejected') throw one.reason;
      outcomes.push(one.value);
    }
    if (!goOn && outcomes.some(({ result }) => result.isError)) break;
  }
  return reportOf(calls, outcomes);
}

/** Read-only calls that follow one another form a group; every other call stands alone, in its place. */
function groupsOf(calls: readonly InnerCall[], opts: ToolOptions): readonly (readonly InnerCall[])[] {
  const readOnly = new Set(
    catalogueOf(opts)
      .list()
      .filter(({ mutating }) => !mutating)
      .map(({ name }) => name),
  );
  const groups: InnerCall[][] = [];
  let open: InnerCall[] | null = null;
  for (const call of calls) {
    const together = readOnly.has(call.tool);
    if (together && open !== null && open.length < MOST_AT_ONCE) open.push(call);
    else {
      const group = [call];
      groups.push(group);
      open = together ? group : null;
    }
  }
  return groups;
}

function reportOf(calls: readonly InnerCall[], outcomes: readonly InnerCallOutcome[]): RichToolOutput {
  const content = calls.flatMap(({ tool }, index): readonly ContentBlock[] => {
    const outcome = outcomes[index];
    const place = `[${index + 1}/${calls.length}] ${tool}`;
    if (outcome === undefined) {
      return [{ type: 'text', text: `${place}: not run, since the batch ended before it` }];
    }
    return [{ type: 'text', text: `${place}: ${outcome.status}` }, ...contentOf(outcome)];
  });
  const inner = calls.map(({ tool }, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? { tool, call: null, status: 'skipped' as const } : metaOf(outcome);
  });
  return { content, isError: outcomes.some(({ result }) => result.isError), meta: { inner } };
}

function callsFrom(value: unknown): readonly InnerCall[] {
  if (!Array.isArray(value) || value.length === 0) throw badInput('calls', 'must be a list of calls');
  if (value.length > MOST_CALLS) throw badInput('calls', `must be at most ${MOST_CALLS}`);
  return value.map((call: unknown, index) => innerCallFrom(call, `calls/${index}`));
}

function titleOf(input: unknown): string {
  if (typeof input !== 'object' || input === null || !('calls' in input) || !Array.isArray(input.calls)) {
    return 'several calls';
  }
  return input.calls.map((call: unknown) => shownTool(call)).join(', ');
}

function shownTool(call: unknown): string {
  return typeof call === 'object' && call !== null && 'tool' in call && typeof call.tool === 'string'
    ? call.tool
    : '?';
}
