import { canonicalJson, isoNow, messageOf } from '@wrongstack/contracts';
import type { Approval, Decision, ToolCall } from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts, Stop } from './call-scope.js';
import { denialText } from './denial-text.js';

type Ports = Pick<ExecutionPorts, 'policy' | 'audit' | 'clock' | 'log'>;

/**
 * The facts again, right before the tool runs: a link may have been swapped, a file changed or a policy published while a
 * person was thinking. Anything but `allow` voids what was decided.
 */
export async function recheckPermission(
  ports: Ports,
  call: ToolCall,
  decision: Decision,
  approval: Approval | null,
  scope: CallScope,
): Promise<null | Stop> {
  let again: Decision;
  try {
    again = await ports.policy.recheck(call, decision, approval);
  } catch (error) {
    return {
      stop: 'denied',
      message: `Denied: the call could not be checked again (${messageOf(error)}). Nothing ran.`,
    };
  }
  const problem = again.verdict === 'allow' ? newObligation(decision, again) : voided(again);
  if (problem === null) return null;
  await note(ports, call, again, scope);
  return { stop: 'denied', message: problem };
}

function voided(again: Decision): string {
  if (again.verdict === 'deny') return denialText(again);
  return `Denied: what was decided no longer holds (${again.because.replace(/[.\s]+$/, '')}). Nothing ran; call again to have it decided anew.`;
}

/** Obligations were applied from the first decision; one that appeared since has not been met. */
function newObligation(decision: Decision, again: Decision): string | null {
  const met = new Set(decision.obligations.map(canonicalJson));
  if (again.obligations.every((obligation) => met.has(canonicalJson(obligation)))) return null;
  return 'Denied: the policy changed while the call waited and demands more now. Nothing ran; call again.';
}

async function note(ports: Ports, call: ToolCall, again: Decision, scope: CallScope): Promise<void> {
  try {
    await ports.audit.append({
      kind: 'recheck',
      ts: isoNow(ports.clock),
      session: scope.origin.session,
      run: scope.origin.run,
      call: call.id,
      decision: again,
    });
  } catch {
    // The call is denied either way; the gap shows in the log.
    ports.log.error('audit log cannot be written', { decision: again.id });
  }
}
