import { isoNow, messageOf } from '@wrongstack/contracts';
import type {
  ApprovalId,
  CallId,
  FileChange,
  RegisteredTool,
  ToolCallStatus,
  ToolResult,
  ToolUseBlock,
} from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts } from './call-scope.js';

type Ports = Pick<ExecutionPorts, 'events' | 'metrics' | 'audit' | 'clock' | 'log' | 'scrubber'>;

export interface FinishedCall {
  readonly request: ToolUseBlock;
  readonly tool: RegisteredTool | null;
  readonly status: ToolCallStatus;
  readonly result: ToolResult;
  readonly truncated: boolean;
  readonly spill: string | null;
  readonly durationMs: number;
  /** Whether the tool itself ran. */
  readonly ran: boolean;
}

export interface ParkedCall {
  readonly request: ToolUseBlock;
  readonly result: ToolResult;
  readonly approval: ApprovalId;
  readonly expiresAt: string | null;
}

/** Session, audit, metrics and event, for every call that ended, whatever its status. */
export async function recordResult(ports: Ports, call: FinishedCall, scope: CallScope): Promise<void> {
  await scope.log.append({
    type: 'tool_result',
    ts: isoNow(ports.clock),
    call: call.request.id,
    name: call.request.name,
    status: call.status,
    isError: call.result.isError,
    content: call.result.content,
    ...(call.result.meta === undefined ? {} : { meta: call.result.meta }),
    durationMs: call.durationMs,
    ...(call.spill === null ? {} : { spill: call.spill }),
    ...withinOf(scope),
  });
  if (call.ran) await auditOutcome(ports, call, scope);
  count(ports, call);
  announce(ports, call, scope);
}

/** The session log cannot be written, which ends the run; whoever counts calls still counts this one. */
export function announceUnrecorded(
  ports: Ports,
  request: ToolUseBlock,
  error: unknown,
  scope: CallScope,
): void {
  const text = ports.scrubber.scrub(`The call could not be recorded: ${messageOf(error)}`);
  const call: FinishedCall = {
    request,
    tool: null,
    status: 'failed',
    result: { content: [{ type: 'text', text }], isError: true },
    truncated: false,
    spill: null,
    durationMs: 0,
    ran: false,
  };
  count(ports, call);
  announce(ports, call, scope);
}

/** The call waits for somebody else: it has not run, and a later resume decides it anew. */
export async function recordParked(ports: Ports, parked: ParkedCall, scope: CallScope): Promise<void> {
  const { request, approval, expiresAt } = parked;
  await scope.log.append({
    type: 'tool_result',
    ts: isoNow(ports.clock),
    call: request.id,
    name: request.name,
    status: 'parked',
    isError: true,
    content: parked.result.content,
    durationMs: 0,
    ...withinOf(scope),
  });
  ports.events.emit('tool.parked', {
    ...scope.origin,
    call: request.id,
    name: request.name,
    approval,
    expiresAt,
  });
}

function withinOf({ within }: CallScope): { readonly within?: CallId } {
  return within === undefined ? {} : { within };
}

async function auditOutcome(ports: Ports, call: FinishedCall, scope: CallScope): Promise<void> {
  try {
    await ports.audit.append({
      kind: 'outcome',
      ts: isoNow(ports.clock),
      session: scope.origin.session,
      run: scope.origin.run,
      call: call.request.id,
      data: { tool: call.request.name, status: call.status, durationMs: call.durationMs },
    });
  } catch {
    // The decision is on record; that its outcome is not must not undo what has already happened.
    ports.metrics.counter('wrongstack_audit_gaps_total', 1);
    ports.log.error('outcome was not written to the audit log', { call: call.request.id });
  }
}

function count(ports: Ports, call: FinishedCall): void {
  // A name that a model made up is not a bounded label.
  const tool = call.tool?.name ?? 'unknown';
  ports.metrics.counter('wrongstack_tool_calls_total', 1, { tool, status: call.status });
  if (call.ran) ports.metrics.histogram('wrongstack_tool_duration_seconds', call.durationMs / 1000, { tool });
}

function announce(ports: Ports, call: FinishedCall, scope: CallScope): void {
  const { request, result } = call;
  ports.events.emit('tool.executed', {
    ...scope.origin,
    call: request.id,
    name: request.name,
    input: ports.scrubber.scrubValue(request.input),
    status: call.status,
    isError: result.isError,
    durationMs: call.durationMs,
    result,
    truncated: call.truncated,
    spill: call.spill,
    exitCode: exitCodeOf(result.meta),
    files: filesOf(result.meta),
  });
  ports.events.emit('tool/result', {
    ...scope.origin,
    callId: request.id satisfies CallId,
    name: request.name,
    isError: result.isError,
    content: result.content,
    ...(result.meta === undefined ? {} : { meta: result.meta }),
  });
}

/** Tools that run a program say how it ended in `meta.exitCode`. */
export function exitCodeOf(meta: unknown): number | null {
  if (typeof meta !== 'object' || meta === null || !('exitCode' in meta)) return null;
  return typeof meta.exitCode === 'number' && Number.isInteger(meta.exitCode) ? meta.exitCode : null;
}

/** Tools that change files say which in `meta.files`: path, lines added and removed. */
export function filesOf(meta: unknown): readonly FileChange[] {
  if (typeof meta !== 'object' || meta === null || !('files' in meta) || !Array.isArray(meta.files))
    return [];
  return meta.files.flatMap((file: unknown): FileChange[] => {
    if (typeof file !== 'object' || file === null || !('path' in file) || typeof file.path !== 'string')
      return [];
    return [{ path: file.path, added: lines(file, 'added'), removed: lines(file, 'removed') }];
  });
}

function lines(file: object, key: 'added' | 'removed'): number {
  const value: unknown = Reflect.get(file, key);
  return typeof value === 'number' && value >= 0 ? value : 0;
}
