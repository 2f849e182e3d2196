import { newId, WrongStackError } from '@wrongstack/contracts';
import type {
  InnerCallOutcome,
  RegisteredTool,
  ToolCall,
  ToolOptions,
  ToolSummary,
  ToolUseBlock,
} from '@wrongstack/contracts';
import { descriptionOf, usageTextOf } from '../loop/tool-text.js';
import { OwnedTasks } from '../tasks/own-tasks.js';
import { offeredSchema } from './background-input.js';
import type { CallOutcome, CallScope, ExecutionPorts } from './call-scope.js';
import { tightened } from './find-tool.js';
import { taskOwner } from './queue-task.js';

type Execute = (
  use: ToolUseBlock,
  scope: CallScope,
  signal: AbortSignal,
  options: { readonly nesting: number },
) => Promise<CallOutcome>;

export interface ToolHandles {
  readonly options: Pick<ToolOptions, 'catalogue' | 'calls' | 'subagents' | 'tasks'>;
  /** The tool waits for work that has graces of its own to wind down in. */
  readonly startsWork: boolean;
  /** The same tool with another input, decided anew: for wrappers that change it. */
  readonly rerun: (input: unknown) => Promise<InnerCallOutcome>;
  /** The call has ended: a tool that was left behind starts nothing more. */
  close(): void;
}

/**
 * What a tool may reach beyond its own work. Each handle goes to tools that declare its capability and to no others, so that
 * what was decided about the call covers that it may ask for more calls; each of these is then decided for itself.
 */
export function toolHandles(
  ports: Pick<ExecutionPorts, 'tools' | 'settings' | 'tasks'>,
  call: ToolCall,
  scope: CallScope,
  signal: AbortSignal,
  execute: Execute,
): ToolHandles {
  const declared: ReadonlySet<string> = new Set(call.tool.capabilities);
  const runsTools = declared.has('tool.mutate.any');
  let open = true;
  const checkOpen = (): void => {
    if (!open) {
      throw new WrongStackError('tool.call_ended', `${call.tool.name} has ended and can start nothing more`);
    }
  };

  const run = async (tool: string, input: unknown, within: AbortSignal): Promise<InnerCallOutcome> => {
    checkOpen();
    const use: ToolUseBlock = { type: 'tool_use', id: newId('CallId'), name: tool, input };
    const inner: CallScope = { ...scope, within: call.id };
    const either = AbortSignal.any([signal, within]);
    const start = (asked: ToolUseBlock): Promise<CallOutcome> =>
      execute(asked, inner, either, { nesting: call.nesting + 1 });
    const outcome = await (scope.aroundInner?.(use, start) ?? start(use));
    return { call: outcome.call, tool: outcome.name, status: outcome.status, result: outcome.result };
  };

  const starter = declared.has('subagent.spawn') ? scope.subagents : undefined;
  return {
    options: {
      ...(runsTools || declared.has('tool.meta') ? { catalogue: catalogueOf(ports, scope) } : {}),
      ...(runsTools ? { calls: { run } } : {}),
      // There is no capability for it: the session's own tasks, for the tools that come with us.
      ...(ports.tasks !== null && call.tool.owner === 'core'
        ? { tasks: new OwnedTasks(ports.tasks, taskOwner(scope)) }
        : {}),
      ...(starter === undefined
        ? {}
        : {
            subagents: {
              run: async (task, within) => {
                checkOpen();
                return starter(call.id, task, AbortSignal.any([signal, within]));
              },
            },
          }),
    },
    startsWork: runsTools || starter !== undefined,
    rerun: (input) => run(call.tool.name, input, signal),
    close: () => {
      open = false;
    },
  };
}

function catalogueOf(ports: Pick<ExecutionPorts, 'tools' | 'settings' | 'tasks'>, scope: CallScope) {
  return {
    list: (): readonly ToolSummary[] =>
      ports.tools
        .list()
        .filter((tool) => scope.offers?.(tool) !== false)
        .map((tool) => summaryOf(tightened(tool, ports.settings()), ports.tasks !== null)),
  };
}

/** A copy of plain values: whoever got hold of the tool itself could run it undecided. */
function summaryOf(tool: RegisteredTool, tasks: boolean): ToolSummary {
  const description = descriptionOf(tool);
  const usage = usageTextOf(tool);
  // Declared as always there, and still missing where the author wrote plain JavaScript.
  const permission = tool.permission as ToolSummary['permission'] | undefined;
  return Object.freeze({
    name: tool.name,
    owner: tool.owner,
    description,
    usageHint: usage === description ? null : usage,
    category: tool.category ?? null,
    inputSchema: offeredSchema(tool, tasks),
    permission: permission ?? 'unknown',
    riskTier: tool.riskTier ?? 'unknown',
    mutating: tool.mutating,
    capabilities: [...(tool.capabilities ?? [])],
  });
}
