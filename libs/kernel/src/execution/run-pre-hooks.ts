import { canonicalJson, messageOf } from '@wrongstack/contracts';
import type { CallId, HookDemand, RegisteredTool } from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts, Stop, ToolSource } from './call-scope.js';
import { stopped } from './call-scope.js';

/** A hook that keeps rewriting would never let the call be decided. */
const MAX_REWRITES = 3;

export interface PreparedInput {
  readonly input: unknown;
  readonly demands: readonly HookDemand[];
}

type Validate = (tools: ToolSource, tool: RegisteredTool, raw: unknown) => { input: unknown } | Stop;

/**
 * Run the `tools/pre-execute` hooks on a validated input. A rewritten input starts again from validation, so that no hook
 * can smuggle in what the schema refuses; what earlier rounds demanded stands.
 */
export async function runPreHooks(
  ports: Pick<ExecutionPorts, 'hooks' | 'tools'>,
  callId: CallId,
  tool: RegisteredTool,
  validated: unknown,
  scope: CallScope,
  signal: AbortSignal,
  validate: Validate,
): Promise<PreparedInput | Stop> {
  const { cwd, projectRoot } = scope.context;
  let input = validated;
  const demands: HookDemand[] = [];
  for (let round = 0; round <= MAX_REWRITES; round += 1) {
    const call = { callId, tool: tool.name, owner: tool.owner, input, cwd, projectRoot };
    let outcome;
    try {
      outcome = await ports.hooks.runPreExecute(call, signal);
    } catch (error) {
      if (signal.aborted)
        return { stop: 'aborted', message: 'Interrupted before it was decided; nothing ran.' };
      return denied(`a tools/pre-execute hook failed (${messageOf(error)})`);
    }
    demands.push(...outcome.demands);
    if (outcome.rewritten === undefined) return { input, demands: distinct(demands) };
    const again = validate(ports.tools, tool, outcome.rewritten.input);
    if (stopped(again)) return again;
    input = again.input;
  }
  return denied(`tools/pre-execute hooks rewrote the input of ${tool.name} more than ${MAX_REWRITES} times`);
}

/** Each round asks every hook again; the same demand twice is one demand. */
function distinct(demands: readonly HookDemand[]): readonly HookDemand[] {
  return [...new Map(demands.map((demand) => [canonicalJson(demand), demand])).values()];
}

function denied(why: string): Stop {
  return { stop: 'denied', message: `Denied: ${why}. Nothing ran.` };
}
