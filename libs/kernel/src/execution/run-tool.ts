import { isoNow } from '@wrongstack/contracts';
import type { Decision, ToolCall, ToolOptions, ToolProgressEvent } from '@wrongstack/contracts';
import type { MetObligations } from './apply-obligations.js';
import type { CallScope, ExecutionPorts } from './call-scope.js';
import { CallScrubber } from './call-scrubber.js';
import type { DetachableCall } from './detachable-call.js';
import { offerRerun } from '../registry/wrapped-execution.js';
import { drainStream } from './drain-stream.js';
import type { Invocation } from './invocation.js';
import { invokeTool } from './invoke.js';
import { ProgressPublisher } from './publish-progress.js';
import { FileSnapshots } from './snapshot-files.js';
import type { ToolHandles } from './tool-handles.js';

/** An outer call must not be given up while an inner one is still within its grace, or its outcome would be lost. */
const OUTER_GRACES = 3;

export interface RanTool {
  readonly ran: Invocation;
  readonly durationMs: number;
}

/** What a call was granted, as its tool gets it. */
export interface Granted {
  readonly decision: Decision;
  readonly duties: MetObligations;
  readonly credentials: Readonly<Record<string, string>>;
  readonly handles: ToolHandles;
}

/** Mark the start on disk, run the tool, and note which files it changed. */
export async function runTool(
  ports: ExecutionPorts,
  call: ToolCall,
  granted: Granted & { readonly snapshots: FileSnapshots },
  scope: CallScope,
  signal: AbortSignal,
  detachable?: DetachableCall,
): Promise<RanTool> {
  const { id, tool } = call;
  const { duties, snapshots, handles } = granted;
  // Before the first effect: a process that dies after this line leaves a call that is never run again unasked.
  await scope.log.append({ type: 'tool_started', ts: isoNow(ports.clock), call: id });
  const estimatedDurationMs = tool.estimatedDurationMs ?? null;
  ports.events.emit('tool.started', { ...scope.origin, call: id, name: tool.name, estimatedDurationMs });
  const scrubber = new CallScrubber(ports.scrubber, duties.redact);
  const progress = new ProgressPublisher(ports.events, scope, id, tool.name, scrubber);
  const started = ports.clock.now();
  const ran = await invokeOnce(ports, call, granted, scope, {
    scrubber,
    signal,
    timeoutMs: tool.timeoutMs ?? ports.limits.timeoutMs,
    publish: (event) => {
      if (detachable?.take(event) !== true) progress.publish(event);
    },
  });
  detachable?.end();
  const durationMs = ports.clock.now() - started;
  handles.close();
  progress.close();
  await snapshots.record(call, ports);
  return { ran, durationMs };
}

export interface InvokeOnce {
  readonly scrubber: CallScrubber;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly publish: (event: ToolProgressEvent) => void;
  /** For a call in the background. */
  readonly task?: Pick<ToolOptions, 'taskOutput' | 'taskRoom'>;
}

/** The tool's own work, with everything that its options hold. */
export function invokeOnce(
  ports: Pick<ExecutionPorts, 'limits' | 'policy'>,
  { id, tool, input }: ToolCall,
  { decision, duties, credentials, handles }: Granted,
  scope: CallScope,
  { scrubber, signal, timeoutMs, publish, task }: InvokeOnce,
): Promise<Invocation> {
  const withdraw = offerRerun(id, handles.rerun);
  return invokeTool(tool, input, scope.context, {
    timeoutMs,
    graceMs: handles.startsWork ? OUTER_GRACES * ports.limits.graceMs : ports.limits.graceMs,
    signal,
    options: {
      callId: id,
      credentials,
      ...decidedPaths(ports.policy, decision),
      scrubStream: () => scrubber.stream(),
      ...handles.options,
      ...(scope.agent === undefined ? {} : { agent: scope.agent }),
      ...(duties.spawnWrapper === undefined ? {} : { sandbox: duties.spawnWrapper }),
      ...task,
    },
    publish,
    drain: drainStream,
  }).finally(withdraw);
}

/**
 * Where the tool may end up: a link that was swapped after the decision then leads nowhere. A decision's own facts are
 * masked, and a file whose name holds what looks like a secret would never be found among them.
 */
function decidedPaths(
  policy: ExecutionPorts['policy'],
  { id, facts }: Decision,
): { readonly decidedPaths?: readonly string[] } {
  if (facts.paths === 'unknown' || facts.command !== null) return {};
  const masked = facts.paths.flatMap(({ real }) => (real === null ? [] : [real]));
  return { decidedPaths: policy.decidedPaths(id) ?? masked };
}
