import { isoNow } from '@wrongstack/contracts';
import type { ContentBlock, SessionEntry } from '@wrongstack/contracts';
import type { Conversation, PendingCall } from '../session/conversation.js';
import { INTERRUPTED } from '../session/conversation.js';
import type { AgentPorts } from './agent-options.js';
import type { CallScope } from '../execution/call-scope.js';
import type { RunContext } from './run-context.js';
import type { RunTally } from './run-tally.js';
import { runToolCalls } from './run-tool-calls.js';

export interface SettleParts {
  readonly ports: AgentPorts;
  readonly conversation: Conversation;
  readonly context: RunContext;
  readonly scope: CallScope;
  readonly append: (entry: SessionEntry) => Promise<void>;
  readonly signal: AbortSignal;
}

const MASKED =
  'Not run: a secret in its arguments was masked in the session log, so the original call is gone. Ask for it again.';

/**
 * Write down what the replay had to fill in, then bring the calls that an earlier process left open to an end. One whose tool had been started is reported as interrupted
 * and never run again; one that had not is decided anew, under today's policy, and so is one that waited for approval.
 */
export async function settlePending(parts: SettleParts, tally: RunTally): Promise<void> {
  const { ports, conversation, context, scope, append, signal } = parts;
  for (const what of conversation.repairs) await append({ type: 'repair', ts: isoNow(ports.clock), what });
  const open = conversation.pending;
  for (const call of open) {
    if (call.started) await append(closed(parts, call, 'interrupted', INTERRUPTED));
    else if (call.masked) await append(closed(parts, call, 'aborted', MASKED));
  }
  const again = open.filter(({ started, masked }) => !started && !masked).map(({ use }) => use);
  if (again.length > 0) {
    const options = { context, scope, append, callsLeft: Infinity, signal };
    for (const { outcome } of await runToolCalls(ports, again, options))
      if (outcome !== null) tally.add(outcome);
  }
  await settleParked(parts, tally);
}

async function settleParked(parts: SettleParts, tally: RunTally): Promise<void> {
  const { ports, conversation, scope, append, signal } = parts;
  const lines: string[] = [];
  for (const { use, masked } of conversation.parked) {
    if (masked || signal.aborted) continue;
    const outcome = await ports.executor.execute(use, scope, signal);
    tally.add(outcome);
    if (outcome.status !== 'parked') lines.push(`${use.name} (${use.id}): ${outcome.status}`);
  }
  if (lines.length === 0) return;
  const text = `Calls that waited for an approval were decided again; their results above are new: ${lines.join(', ')}.`;
  const content: readonly ContentBlock[] = [{ type: 'text', text }];
  await append({ type: 'inject', ts: isoNow(ports.clock), content, source: { kind: 'host', now: true } });
}

function closed(
  { ports }: SettleParts,
  { use }: PendingCall,
  status: 'interrupted' | 'aborted',
  text: string,
): SessionEntry {
  return {
    type: 'tool_result',
    ts: isoNow(ports.clock),
    call: use.id,
    name: use.name,
    status,
    isError: true,
    content: [{ type: 'text', text }],
    durationMs: 0,
  };
}
