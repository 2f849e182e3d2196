import type { CallId, Decision, TaskOptions, ToolCall, ToolUseBlock } from '@wrongstack/contracts';
import { announceRequest } from './announce-request.js';
import { applyObligations } from './apply-obligations.js';
import { takeBackground } from './background-input.js';
import { buildCall } from './build-call.js';
import type { CallOutcome, CallScope, Ending, ExecutionPorts, Stop } from './call-scope.js';
import { stopped } from './call-scope.js';
import { decidePermission } from './decide-permission.js';
import { ended, INTERRUPTED, queued } from './endings.js';
import { findTool } from './find-tool.js';
import { finishCall } from './finish-call.js';
import { inspectResult } from './inspect-result.js';
import { obtainApproval } from './obtain-approval.js';
import { queueTask } from './queue-task.js';
import { recheckPermission } from './recheck-permission.js';
import { recordDecision } from './record-decision.js';
import { announceUnrecorded } from './record-result.js';
import { resolveCredentials } from './resolve-credentials.js';
import { runPreHooks } from './run-pre-hooks.js';
import { runDetachable } from './run-detachable.js';
import { FileSnapshots } from './snapshot-files.js';
import { toModelResult } from './to-model-result.js';
import { toolHandles } from './tool-handles.js';
import { validateInput } from './validate-input.js';

export interface ExecuteOptions {
  /** How deep this call is within calls of tools by tools. */
  readonly nesting?: number;
  /** When and how to queue it, should it run in the background. */
  readonly task?: TaskOptions;
}

/**
 * The journey of one tool call, in this order and no other:
 *
 *   announce → find the tool → validate the input, freeze it → pre-execute hooks (a rewritten input is validated again)
 *   → decide (facts inside; the only decision site) → obtain approval (bound to the call's digest)
 *   → record the decision (awaited) → meet obligations → [queue] → credentials → recheck → invoke (limits, cleanup)
 *   → drain the stream (exactly one final, last) → post-execute hooks → scrub → bound → record the result → the model
 *
 * A call for the background leaves at [queue] with a task id, and goes on from there in `tasks/task-runner.ts`.
 * A stage that ends the call says why; every ending goes through scrub, bound and record, denials included.
 */
export class ToolExecutor {
  readonly #running = new Map<CallId, AbortController>();
  readonly #detaches = new Map<CallId, () => void>();

  constructor(private readonly ports: ExecutionPorts) {}

  /** Never rejects for a bad call; rejects when the session log cannot be written: nothing could then be resumed. */
  async execute(
    request: ToolUseBlock,
    scope: CallScope,
    signal: AbortSignal,
    options: ExecuteOptions = {},
  ): Promise<CallOutcome> {
    const controller = new AbortController();
    this.#running.set(request.id, controller);
    try {
      await announceRequest(this.ports, request, scope);
      const either = AbortSignal.any([signal, controller.signal]);
      const ending = await this.#journey(request, scope, either, options);
      return await finishCall(this.ports, request, ending, scope);
    } catch (error) {
      announceUnrecorded(this.ports, request, error, scope);
      throw error;
    } finally {
      this.#running.delete(request.id);
    }
  }

  /**
   * What would be decided about a call, by the same stages as ever, without asking anybody, recording or running anything: for others who run
   * it, and who keep the decision themselves. The stop says why there is nothing to decide about.
   */
  async decide(
    use: ToolUseBlock,
    scope: CallScope,
    signal: AbortSignal,
  ): Promise<{ readonly call: ToolCall; readonly decision: Decision } | Stop> {
    const { ports } = this;
    const tool = findTool(ports.tools, ports.settings(), use);
    if (stopped(tool)) return tool;
    const asked = takeBackground(tool, use.input, ports.tasks !== null);
    if (stopped(asked)) return asked;
    const valid = validateInput(ports.tools, tool, asked.input);
    if (stopped(valid)) return valid;
    const prepared = await runPreHooks(ports, use.id, tool, valid.input, scope, signal, validateInput);
    if (stopped(prepared)) return prepared;
    const call = buildCall(use, tool, prepared, scope, 0, asked.background);
    const decision = await decidePermission(ports, call, scope);
    return stopped(decision) ? decision : { call, decision };
  }

  /** Stop one call; the run goes on. False when no such call is under way. */
  abortCall(call: CallId): boolean {
    const controller = this.#running.get(call);
    controller?.abort(new DOMException('this call was stopped', 'AbortError'));
    return controller !== undefined;
  }

  /** Ask for a running call to go on in the background. False when no such call can. */
  sendToBackground(call: CallId): boolean {
    const ask = this.#detaches.get(call);
    ask?.();
    return ask !== undefined;
  }

  #offer(call: CallId, ask: () => void): () => void {
    this.#detaches.set(call, ask);
    return () => this.#detaches.delete(call);
  }

  async #journey(
    use: ToolUseBlock,
    scope: CallScope,
    signal: AbortSignal,
    options: ExecuteOptions,
  ): Promise<Ending> {
    const { ports } = this;
    const interrupted = (): boolean => signal.aborted;
    if (interrupted()) return ended(INTERRUPTED);
    const tool = findTool(ports.tools, ports.settings(), use);
    if (stopped(tool)) return ended(tool);
    const asked = takeBackground(tool, use.input, ports.tasks !== null);
    if (stopped(asked)) return ended(asked, tool);
    const valid = validateInput(ports.tools, tool, asked.input);
    if (stopped(valid)) return ended(valid, tool);
    const prepared = await runPreHooks(ports, use.id, tool, valid.input, scope, signal, validateInput);
    if (stopped(prepared)) return ended(prepared, tool);
    const call = buildCall(use, tool, prepared, scope, options.nesting ?? 0, asked.background);
    const decision = await decidePermission(ports, call, scope);
    if (stopped(decision)) return ended(decision, tool);
    const answer = await obtainApproval(ports, call, decision, scope, signal);
    const unrecorded = await recordDecision(ports, call, decision, answer, scope);
    if (unrecorded !== null) return ended(unrecorded, tool, decision);
    if (answer.kind === 'parked') return { ...answer, tool, decision };
    if (answer.kind !== 'granted') return ended(answer, tool, decision);
    const duties = await applyObligations(ports, call, decision, scope);
    if (stopped(duties)) return ended(duties, tool, decision);
    if (call.background) {
      const { approval } = answer;
      const task = await queueTask(ports, call, { decision, approval, options: options.task ?? {} }, scope);
      return stopped(task) ? ended(task, tool, decision) : queued(task, tool, decision);
    }
    const credentials = await resolveCredentials(ports, tool);
    if (stopped(credentials)) return ended(credentials, tool, decision);
    const snapshots = await FileSnapshots.take(call, decision, scope);
    const voided = await recheckPermission(ports, call, decision, answer.approval, scope);
    if (voided !== null) return ended(voided, tool, decision);
    if (interrupted()) return ended(INTERRUPTED, tool, decision);
    const handles = toolHandles(ports, call, scope, signal, this.execute.bind(this));
    const granted = { decision, duties, credentials, snapshots, handles };
    const detach = { approval: answer.approval, offer: (ask: () => void) => this.#offer(call.id, ask) };
    const done = await runDetachable(ports, call, granted, scope, signal, detach);
    if (done.task !== null) return queued(done.task, tool, decision);
    const { ran, durationMs } = done;
    const { status, result } = await inspectResult(ports.hooks, call, toModelResult(ran));
    return { kind: 'ended', status, result, tool, decision, redact: duties.redact, durationMs, ran: true };
  }
}
