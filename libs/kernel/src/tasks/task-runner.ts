import { mkdir } from 'node:fs/promises';
import { deepFreeze, isoNow, messageOf, silentLogger } from '@wrongstack/contracts';
import type {
  ContentBlock,
  RegisteredTool,
  TaskExit,
  TaskJob,
  TaskSink,
  TaskWork,
  ToolCall,
  ToolProgressEvent,
  ToolResult,
  ToolUseBlock,
} from '@wrongstack/contracts';
import { applyObligations } from '../execution/apply-obligations.js';
import { boundOutput } from '../execution/bound-output.js';
import type { CallOutcome, CallScope, ExecutionPorts } from '../execution/call-scope.js';
import { stopped } from '../execution/call-scope.js';
import { CallScrubber } from '../execution/call-scrubber.js';
import { findTool } from '../execution/find-tool.js';
import { inspectResult } from '../execution/inspect-result.js';
import type { ShapedResult } from '../execution/invocation.js';
import { recheckPermission } from '../execution/recheck-permission.js';
import { exitCodeOf } from '../execution/record-result.js';
import { resolveCredentials } from '../execution/resolve-credentials.js';
import { invokeOnce } from '../execution/run-tool.js';
import { scrubResult } from '../execution/scrub-result.js';
import { toModelResult } from '../execution/to-model-result.js';
import { toolHandles } from '../execution/tool-handles.js';
import { processPathLocks } from '../loop/path-locks.js';
import { ReadRecords } from '../loop/read-records.js';
import { RunContext } from '../loop/run-context.js';

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
    if (typeof tool === 'string') return failed(tool);
    const context = contextOf(ports, job);
    try {
      await mkdir(job.scratchDir, { recursive: true, mode: 0o700 });
      return await runJob(ports, job, tool, scopeOf(job, context), sink, signal);
    } catch (error) {
      return failed(ports.scrubber.scrub(messageOf(error)));
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
  if (stopped(duties)) return failed(duties.message);
  const credentials = await resolveCredentials(ports, tool);
  if (stopped(credentials)) return failed(credentials.message);
  const voided = await recheckPermission(ports, call, job.decision, job.approval, scope);
  if (voided !== null) return failed(voided.message);
  if (signal.aborted) return ended('killed', null, 'stopped before it began; nothing ran', '', false);
  const scrubber = new CallScrubber(ports.scrubber, duties.redact);
  const stream = scrubber.stream();
  const write = (text: string): void => sink.write(stream.push(text));
  const handles = toolHandles(ports, call, scope, signal, ports.execute);
  const started = ports.clock.now();
  const ran = await invokeOnce(ports, call, { decision: job.decision, duties, credentials, handles }, scope, {
    scrubber,
    signal,
    timeoutMs: tool.backgroundTimeoutMs ?? tool.timeoutMs ?? ports.limits.timeoutMs,
    publish: (event) => write(textOf(event)),
    taskOutput: write,
  });
  handles.close();
  sink.write(stream.end());
  const shaped = await inspectResult(ports.hooks, call, toModelResult(ran));
  const exit = await exitOf(ports, job, tool, scrubber, shaped);
  await record(ports, job, exit, ports.clock.now() - started);
  return exit;
}

async function exitOf(
  ports: TaskRunnerPorts,
  job: TaskJob,
  tool: RegisteredTool,
  scrubber: CallScrubber,
  { status, result }: ShapedResult,
): Promise<TaskExit> {
  const { result: bounded, truncated } = await boundOutput(scrubResult(scrubber, result), {
    maxBytes: tool.maxOutputBytes ?? ports.limits.maxOutputBytes,
    scratchDir: job.scratchDir,
    call: job.call,
  });
  const text = textOfResult(bounded);
  const exitCode = exitCodeOf(bounded.meta);
  switch (status) {
    case 'aborted':
      return ended('killed', exitCode, firstLine(text), text, truncated);
    case 'timeout':
    case 'failed':
      return ended('failed', exitCode, firstLine(text), text, truncated);
    case 'ok':
      // A program that fails is a normal result for a model; for whoever waits for a task it is a task that failed.
      return exitCode === null || exitCode === 0
        ? ended('completed', exitCode, null, text, truncated)
        : ended('failed', exitCode, `exit ${exitCode}`, text, truncated);
  }
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

async function record(
  ports: TaskRunnerPorts,
  job: TaskJob,
  exit: TaskExit,
  durationMs: number,
): Promise<void> {
  ports.metrics.counter('wrongstack_tasks_total', 1, { tool: job.tool, state: exit.state });
  try {
    await ports.audit.append({
      kind: 'outcome',
      ts: isoNow(ports.clock),
      session: job.owner.session,
      run: job.run,
      call: job.call,
      data: { tool: job.tool, task: job.id, status: exit.state, durationMs },
    });
  } catch {
    ports.metrics.counter('wrongstack_audit_gaps_total', 1);
    ports.log.error('outcome of a task was not written to the audit log', { task: job.id });
  }
}

function textOf(event: ToolProgressEvent): string {
  const text: unknown = event.text;
  if (typeof text !== 'string') return '';
  return event.type === 'partial_output' ? text : `${text}\n`;
}

function textOfResult({ content }: ToolResult): string {
  return content
    .map((block: ContentBlock) => (block.type === 'text' ? block.text : `[${block.mediaType} image]`))
    .join('\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}

function failed(reason: string): TaskExit {
  return ended('failed', null, reason, '', false);
}

function ended(
  state: TaskExit['state'],
  exitCode: number | null,
  reason: string | null,
  result: string,
  truncated: boolean,
): TaskExit {
  return { state, exitCode, reason, result, truncated };
}
