import { mkdirSync } from 'node:fs';
import { deepFreeze, messageOf, silentLogger } from '@wrongstack/contracts';
import type {
  RegisteredTool,
  TaskExit,
  TaskJob,
  TaskSink,
  TaskWork,
  ToolCall,
  ToolUseBlock,
} from '@wrongstack/contracts';
import { applyObligations } from '../execution/apply-obligations.js';
import type { CallOutcome, CallScope, ExecutionPorts } from '../execution/call-scope.js';
import { stopped } from '../execution/call-scope.js';
import { CallScrubber } from '../execution/call-scrubber.js';
import { findTool } from '../execution/find-tool.js';
import { inspectResult } from '../execution/inspect-result.js';
import { recheckPermission } from '../execution/recheck-permission.js';
import { resolveCredentials } from '../execution/resolve-credentials.js';
import { invokeOnce } from '../execution/run-tool.js';
import { toModelResult } from '../execution/to-model-result.js';
import { toolHandles } from '../execution/tool-handles.js';
import { processPathLocks } from '../loop/path-locks.js';
import { ReadRecords } from '../loop/read-records.js';
import { RunContext } from '../loop/run-context.js';
import { noResult, taskExit } from './task-exit.js';
import { recordTask } from './record-task.js';
import { progressText } from './progress-text.js';

export interface TaskRunnerPorts extends ExecutionPorts {
  /** The agent's data folder on this machine. */
  readonly dataDir: string;
  readonly execute: (
    use: ToolUseBlock,
    scope: CallScope,
    signal: AbortSignal,
    options: { readonly nesting: number },
  ) => Promise<CallOutcome>;
}

/**
 * What a worker does with a task: the second half of a call's journey, from the obligations on, in a process that need not
 * be the one that decided. Whether it may run is checked again here; a permission that was revoked meanwhile ends the task.
 */
export function createTaskWork(ports: TaskRunnerPorts): TaskWork {
  return async (job, sink, signal) => {
    const tool = sameTool(ports, job);
    if (typeof tool === 'string') return noResult('failed', tool);
    const context = contextOf(ports, job);
    try {
      // It is there as a rule, and then this costs less on the spot than a thread does.
      mkdirSync(job.scratchDir, { recursive: true, mode: 0o700 });
      return await runJob(ports, job, tool, scopeOf(job, context), sink, signal);
    } catch (error) {
      return noResult('failed', ports.scrubber.scrub(messageOf(error)));
    } finally {
      await context.end();
    }
  };
}

async function runJob(
  ports: TaskRunnerPorts,
  job: TaskJob,
  tool: RegisteredTool,
  scope: CallScope,
  sink: TaskSink,
  signal: AbortSignal,
): Promise<TaskExit> {
  const call = callOf(job, tool);
  // Rate limits were counted when it was queued.
  const obligations = job.decision.obligations.filter((one) => !('rateLimit' in one));
  const duties = await applyObligations(ports, call, { ...job.decision, obligations }, scope);
  if (stopped(duties)) return noResult('failed', duties.message);
  const credentials = await resolveCredentials(ports, tool);
  if (stopped(credentials)) return noResult('failed', credentials.message);
  const voided = await recheckPermission(ports, call, job.decision, job.approval, scope);
  if (voided !== null) return noResult('failed', voided.message);
  if (signal.aborted) return noResult('killed', 'stopped before it began; nothing ran');
  const scrubber = new CallScrubber(ports.scrubber, duties.redact);
  const stream = scrubber.stream();
  const write = (text: string): void => sink.write(stream.push(text));
  const handles = toolHandles(ports, call, scope, signal, ports.execute);
  const started = ports.clock.now();
  const ran = await invokeOnce(ports, call, { decision: job.decision, duties, credentials, handles }, scope, {
    scrubber,
    signal,
    timeoutMs: tool.backgroundTimeoutMs ?? tool.timeoutMs ?? ports.limits.timeoutMs,
    publish: (event) => write(progressText(event)),
    task: { taskOutput: write, taskRoom: () => sink.room?.() ?? null },
  });
  handles.close();
  sink.write(stream.end());
  const shaped = await inspectResult(ports.hooks, call, toModelResult(ran));
  const { scratchDir } = job;
  const exit = await taskExit(shaped, { tool, call: job.call, scratchDir, scrubber, limits: ports.limits });
  await recordTask(ports, job, exit, ports.clock.now() - started);
  return exit;
}

/** The tool that was decided about, or why this worker has none. */
function sameTool(ports: TaskRunnerPorts, job: TaskJob): RegisteredTool | string {
  const use: ToolUseBlock = { type: 'tool_use', id: job.call, name: job.tool, input: job.input };
  const tool = findTool(ports.tools, ports.settings(), use);
  if (stopped(tool)) return `this worker has no tool ${job.tool}; nothing ran`;
  if (tool.definitionDigest === job.definitionDigest) return tool;
  return `this worker has another version of ${job.tool} than was decided about; nothing ran, start the task again`;
}

function callOf(job: TaskJob, tool: RegisteredTool): ToolCall {
  return Object.freeze({
    id: job.call,
    tool,
    input: deepFreeze(job.input),
    actor: job.actor,
    session: job.session,
    cwd: job.cwd,
    projectRoot: job.projectRoot,
    scratchDirs: Object.freeze([job.scratchDir]),
    background: true,
    hookDemands: job.hookDemands,
    nesting: job.nesting,
  });
}

function contextOf({ dataDir, scrubber }: TaskRunnerPorts, job: TaskJob): RunContext {
  return new RunContext({
    cwd: job.cwd,
    projectRoot: job.projectRoot,
    sessionId: job.owner.session,
    runId: job.run,
    scratchDir: job.scratchDir,
    dataDir,
    meta: {},
    log: silentLogger,
    entries: NO_LOG,
    scrubber,
    reads: new ReadRecords(),
    locks: processPathLocks,
  });
}

// The conversation has its result already: the task's id. What happens after that is in the task's record.
const NO_LOG = { append: async (): Promise<void> => undefined };

function scopeOf(job: TaskJob, context: RunContext): CallScope {
  return {
    origin: { session: job.owner.session, run: job.run, agent: job.agent },
    context,
    actor: job.actor,
    session: () => job.session,
    log: NO_LOG,
    taskOwner: job.owner,
  };
}
