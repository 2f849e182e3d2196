import { isoNow, messageOf, newId } from '@wrongstack/contracts';
import type {
  ApprovalAnswer,
  ApprovalId,
  ApprovalRequest,
  Decision,
  ToolCall,
  ToolCallView,
} from '@wrongstack/contracts';
import type { ApprovalOutcome, CallScope, ExecutionPorts } from './call-scope.js';
import { inTurn } from './ask-queue.js';
import { denialText } from './denial-text.js';

type Ports = Pick<ExecutionPorts, 'approvals' | 'policy' | 'events' | 'clock'>;

/** Ask people where the decision says so. Whatever is not clearly a yes to exactly this call is a no. */
export async function obtainApproval(
  ports: Ports,
  call: ToolCall,
  decision: Decision,
  scope: CallScope,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  if (decision.verdict === 'allow') return { kind: 'granted', approval: null, remembered: false };
  if (decision.verdict !== 'confirm' && decision.verdict !== 'approve') {
    return { kind: 'refused', stop: 'denied', message: denialText(decision), by: 'policy' };
  }
  const request: ApprovalRequest = {
    id: newId('ApprovalId'),
    call,
    decision,
    view: pendingView(call),
    approvers: decision.approvers,
  };
  const waitsForOthers = decision.verdict === 'approve';
  if (waitsForOthers) announceWaiting(ports, scope, request);
  const outcome = await settle(ports, request, await ask(ports, scope, request, signal));
  if (waitsForOthers) announceResolved(ports, scope, request, outcome);
  return outcome;
}

type Asked = { readonly answer: ApprovalAnswer } | { readonly aborted: true } | { readonly broken: string };

async function ask(
  ports: Ports,
  scope: CallScope,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Asked> {
  const isAborted = (): boolean => signal.aborted;
  if (isAborted()) return { aborted: true };
  const channel = scope.approvals ?? ports.approvals;
  let stopWaiting = (): void => undefined;
  const abort = new Promise<Asked>((resolve) => {
    const listener = (): void => resolve({ aborted: true });
    signal.addEventListener('abort', listener, { once: true });
    stopWaiting = () => signal.removeEventListener('abort', listener);
  });
  const put = async (): Promise<Asked> =>
    isAborted() ? { aborted: true } : { answer: await channel.ask(request, signal) };
  // Raced, because a channel that overlooks its signal must not turn a late answer into a yes.
  const question = (): Promise<Asked> => Promise.race([put(), abort]);
  try {
    // Others are asked elsewhere and may take hours; the person at the keyboard is asked one thing at a time.
    const asked = request.decision.verdict === 'approve' ? question() : inTurn(channel, question);
    return await Promise.race([asked, abort]);
  } catch (error) {
    return isAborted() ? { aborted: true } : { broken: messageOf(error) };
  } finally {
    stopWaiting();
  }
}

async function settle(ports: Ports, request: ApprovalRequest, asked: Asked): Promise<ApprovalOutcome> {
  if ('aborted' in asked) {
    return {
      kind: 'withdrawn',
      stop: 'aborted',
      message: 'Interrupted while waiting for an answer; nothing ran.',
    };
  }
  if ('broken' in asked) return refusedByChannel(`the question could not be asked (${asked.broken})`);
  const { call, decision } = request;
  const answer = asked.answer;
  const person = (by: readonly string[], remembered: boolean): ApprovalOutcome => ({
    kind: 'granted',
    remembered,
    approval: {
      digest: decision.approvalDigest,
      given: decision.verdict === 'approve' ? 'approve' : 'confirm',
      by,
      at: isoNow(ports.clock),
    },
  });
  switch (answer.kind) {
    case 'approved':
      return answer.by.length === 0
        ? refusedByChannel('the approval names nobody')
        : person(answer.by, false);
    case 'once':
    case 'always': {
      if (decision.verdict === 'approve') {
        return refusedByChannel('it needs the approval of others, and a yes here is not one');
      }
      const remembered = answer.kind === 'always' && (await remember(ports, request, 'allow'));
      return person([call.actor.user?.name ?? 'user'], remembered);
    }
    case 'never':
      await remember(ports, request, 'deny');
      return refusedByPerson(answer.reason);
    case 'no':
      return refusedByPerson(answer.reason);
    case 'parked':
      return { kind: 'parked', approval: answer.approval, expiresAt: answer.expiresAt };
    default:
      // Only the exact known answers count; anything else that a channel lets through is no answer.
      return refusedByChannel('the answer was not understood');
  }
}

/** A yes whose "always" cannot be stored is still a yes to this one call; it is said aloud that it was not kept. */
async function remember(ports: Ports, request: ApprovalRequest, effect: 'allow' | 'deny'): Promise<boolean> {
  try {
    await ports.policy.remember(request.call, request.decision, effect);
    return true;
  } catch (error) {
    ports.events.emit('error', {
      code: 'trust.not_stored',
      message: `the answer for ${request.call.tool.name} was not stored: ${messageOf(error)}`,
      hint: 'wstack trust list',
      fatal: false,
    });
    return false;
  }
}

function refusedByPerson(reason: string | undefined): ApprovalOutcome {
  const why = reason?.replace(/\s+/g, ' ').trim() ?? '';
  const said = why === '' ? '.' : `: ${why}${/[.!?]$/.test(why) ? '' : '.'}`;
  return {
    kind: 'refused',
    stop: 'denied',
    by: 'person',
    message: `Denied by the person${said} Nothing ran.`,
  };
}

function refusedByChannel(why: string): ApprovalOutcome {
  return { kind: 'refused', stop: 'denied', by: 'channel', message: `Denied: ${why}. Nothing ran.` };
}

/** The card of the pending call. A presenter that throws must not keep the question from being asked. */
function pendingView(call: ToolCall): ToolCallView {
  try {
    const view = call.tool.presentCall?.(call.input);
    if (view !== undefined) return view;
  } catch {
    // Falls through to the plain card, which shows the whole input.
  }
  return { card: 'generic', title: call.tool.name, rawInput: call.input };
}

function announceWaiting(ports: Ports, scope: CallScope, request: ApprovalRequest): void {
  const ttl = request.approvers?.ttlMinutes ?? null;
  ports.events.emit('approval.waiting', {
    ...scope.origin,
    call: request.call.id,
    name: request.call.tool.name,
    approval: request.id,
    need: request.approvers?.count ?? 1,
    have: 0,
    expiresAt: ttl === null ? null : new Date(ports.clock.now() + ttl * 60_000).toISOString(),
  });
}

function announceResolved(
  ports: Ports,
  scope: CallScope,
  request: ApprovalRequest,
  outcome: ApprovalOutcome,
): void {
  if (outcome.kind === 'parked') return;
  const words = { granted: 'approved', refused: 'rejected', withdrawn: 'withdrawn' } as const;
  ports.events.emit('approval.resolved', {
    ...scope.origin,
    call: request.call.id,
    name: request.call.tool.name,
    approval: request.id satisfies ApprovalId,
    outcome: words[outcome.kind],
    by: outcome.kind === 'granted' ? (outcome.approval?.by ?? []) : [],
  });
}
