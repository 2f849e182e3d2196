import { isoNow, messageOf } from '@wrongstack/contracts';
import type {
  Clock,
  Context,
  RegisteredTool,
  SessionEntry,
  ToolResult,
  ToolUseBlock,
} from '@wrongstack/contracts';
import type { CallOutcome, CallScope } from '../execution/call-scope.js';
import { textResult } from '../execution/call-scope.js';
import type { ToolExecutor } from '../execution/tool-executor.js';
import type { LifecycleRegistry } from '../extensions/lifecycle-registry.js';
import type { Pipelines } from '../pipeline/create-pipelines.js';

export interface ToolCallPorts {
  readonly executor: Pick<ToolExecutor, 'execute'>;
  readonly tools: { get(name: string): RegisteredTool | undefined };
  readonly lifecycle: Pick<LifecycleRegistry, 'beforeToolExecution' | 'afterToolExecution'>;
  readonly pipelines: Pick<Pipelines, 'toolCall'>;
  readonly clock: Clock;
}

export interface ToolCallsOptions {
  readonly context: Context;
  readonly scope: CallScope;
  readonly append: (entry: SessionEntry) => Promise<void>;
  /** How many calls the budget still allows. */
  readonly callsLeft: number;
  readonly signal: AbortSignal;
}

export interface RanCall {
  readonly use: ToolUseBlock;
  readonly outcome: CallOutcome | null;
}

export const BUDGET_USED_UP = 'Not run: the budget of tool calls of this run is used up.';
export const HELD_BACK = 'Not run: a plugin held this call back.';

/** Read-only calls that run at the same time; more would only queue for the disk. */
const MOST_AT_ONCE = 8;

/**
 * Run the calls of one turn: read-only ones in parallel, mutating ones alone and in the model's order. Every call gets a
 * result, whatever a hook filtered out or a budget does not allow.
 */
export async function runToolCalls(
  ports: ToolCallPorts,
  requested: readonly ToolUseBlock[],
  options: ToolCallsOptions,
): Promise<readonly RanCall[]> {
  const chosen = await ports.lifecycle.beforeToolExecution(options.context, requested);
  const allowed = chosen.slice(0, Math.max(0, options.callsLeft));
  const ran = new Map<string, CallOutcome>();
  for (const batch of batches(ports, allowed)) {
    // All settled before anything is thrown: a call must not go on behind the back of a run that has ended.
    const settled = await Promise.allSettled(batch.map((use) => runOne(ports, use, options)));
    for (const one of settled) {
      if (one.status === 'rejected') throw one.reason;
      ran.set(one.value.call, one.value);
    }
  }
  for (const use of requested) {
    if (ran.has(use.id)) continue;
    const why = chosen.some(({ id }) => id === use.id) ? BUDGET_USED_UP : HELD_BACK;
    await options.append(notRun(ports.clock, use, textResult(why, true)));
  }
  const results = requested.flatMap(({ id }) => ran.get(id)?.result ?? []);
  await ports.lifecycle.afterToolExecution(options.context, results);
  return requested.map((use) => ({ use, outcome: ran.get(use.id) ?? null }));
}

async function runOne(
  ports: ToolCallPorts,
  use: ToolUseBlock,
  options: ToolCallsOptions,
): Promise<CallOutcome> {
  return ports.executor.execute(await piped(ports.pipelines.toolCall, use), options.scope, options.signal);
}

/** The call as the toolCall pipeline leaves it; one whose pipeline failed runs nothing. */
export async function piped(
  pipeline: { run(use: ToolUseBlock): Promise<ToolUseBlock> },
  use: ToolUseBlock,
): Promise<ToolUseBlock> {
  try {
    // The id names the result; a handler may change what is called and with what.
    return { ...(await pipeline.run(use)), id: use.id };
  } catch (error) {
    const message = `a handler of the toolCall pipeline failed: ${messageOf(error)}`;
    return { ...use, inputError: { raw: '', message } };
  }
}

function batches(ports: ToolCallPorts, uses: readonly ToolUseBlock[]): readonly (readonly ToolUseBlock[])[] {
  const list: ToolUseBlock[][] = [];
  let together: ToolUseBlock[] | null = null;
  for (const use of uses) {
    const readOnly = ports.tools.get(use.name)?.mutating === false;
    if (readOnly && together !== null && together.length < MOST_AT_ONCE) together.push(use);
    else {
      const batch = [use];
      list.push(batch);
      together = readOnly ? batch : null;
    }
  }
  return list;
}

function notRun(clock: Clock, use: ToolUseBlock, result: ToolResult): SessionEntry {
  return {
    type: 'tool_result',
    ts: isoNow(clock),
    call: use.id,
    name: use.name,
    status: 'aborted',
    isError: true,
    content: result.content,
    durationMs: 0,
  };
}
