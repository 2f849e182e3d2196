import type { Decision, ToolCall } from '@wrongstack/contracts';
import { messageOf } from '@wrongstack/contracts';
import type { CallScope, ExecutionPorts, Stop } from './call-scope.js';

/** The one place where a call is decided. The facts are computed inside the policy. */
export async function decidePermission(
  ports: Pick<ExecutionPorts, 'policy' | 'events'>,
  call: ToolCall,
  scope: CallScope,
): Promise<Decision | Stop> {
  let decision: Decision;
  try {
    decision = await ports.policy.decide(call);
  } catch (error) {
    // The port promises not to throw. If it does all the same, there is no decision, and so no permission.
    return {
      stop: 'denied',
      message: `Denied: the policy could not decide (${messageOf(error)}). Nothing ran.`,
    };
  }
  ports.events.emit('tool.decided', { ...scope.origin, call: call.id, name: call.tool.name, decision });
  return decision;
}
