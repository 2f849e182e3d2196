import { codeOf, digestOf, messageOf, newTaskId } from '@wrongstack/contracts';
import type {
  ActorFacts,
  Approval,
  Decision,
  NewTask,
  SessionId,
  TaskOptions,
  TaskOwner,
  TaskRecord,
  ToolCall,
} from '@wrongstack/contracts';
import { visibleLine } from '../loop/tool-text.js';
import type { CallScope, ExecutionPorts, Stop } from './call-scope.js';

const LONGEST_TITLE = 160;

export interface TaskRequest {
  readonly decision: Decision;
  readonly approval: Approval | null;
  readonly options: TaskOptions;
}

/** Hand a call that may run to the task queue; it is decided once more when it begins. */
export async function queueTask(
  ports: Pick<ExecutionPorts, 'tasks' | 'scrubber'>,
  call: ToolCall,
  request: TaskRequest,
  scope: CallScope,
): Promise<TaskRecord | Stop> {
  if (ports.tasks === null) return { stop: 'failed', message: 'No task queue is set up. Nothing ran.' };
  try {
    return await ports.tasks.add(taskOf(ports, call, request, scope));
  } catch (error) {
    const message = `The task was not taken: ${messageOf(error)}. Nothing ran.`;
    return { stop: 'failed', message, code: codeOf(error) };
  }
}

export function taskOf(
  { scrubber }: Pick<ExecutionPorts, 'scrubber'>,
  call: ToolCall,
  { decision, approval, options }: TaskRequest,
  scope: CallScope,
): NewTask {
  const { tool, input } = call;
  return {
    job: {
      id: newTaskId(),
      owner: taskOwner(scope),
      call: call.id,
      run: scope.origin.run,
      agent: scope.origin.agent,
      tool: tool.name,
      definitionDigest: tool.definitionDigest,
      input,
      decision,
      approval,
      actor: call.actor,
      session: call.session,
      hookDemands: call.hookDemands,
      nesting: call.nesting,
      cwd: call.cwd,
      projectRoot: call.projectRoot,
      scratchDir: scope.context.scratchDir,
    },
    title: visibleLine(scrubber.scrub(titleOf(call)), LONGEST_TITLE),
    inputDigest: digestOf(input),
    idempotent: tool.idempotent === true,
    options,
  };
}

/** A subagent's tasks are its parent's: they outlive it, and the parent is told how they ended. */
export function taskOwner({ taskOwner: given, origin, actor }: CallScope): TaskOwner {
  if (given !== undefined) return given;
  return ownerOfSession(actor, origin.session);
}

export function ownerOfSession({ org, user }: ActorFacts, session: SessionId): TaskOwner {
  return { tenant: org?.name ?? null, user: user?.name ?? 'anonymous', session };
}

export function startedText({ id, state }: TaskRecord): string {
  return `Task ${id} is ${state} in the background. Read its output with task_output, end it with task_kill; a note follows when it has ended.`;
}

function titleOf({ tool, input }: ToolCall): string {
  try {
    return tool.presentCall?.(input)?.title ?? tool.name;
  } catch {
    return tool.name;
  }
}
