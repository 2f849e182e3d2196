import type { SessionView } from '../../session/session-view.js';
import type { Approval } from './approvals.js';

/** Does this request wait for this very person? The API has the last word. */
export function waitsFor({ state, requester, approvers }: Approval, me: SessionView): boolean {
  if (state !== 'pending' || !me.abilities.includes('decide:Approval')) return false;
  if (approvers['excludeRequester'] === true && requester.id === me.user.id) return false;
  const from = asked(approvers);
  return from.length === 0 || [me.user.id, ...me.teams, ...me.roles].some((name) => from.includes(name));
}

/** Who was asked: teams, roles or people; empty = anybody with the role approver. */
export function asked(approvers: Approval['approvers']): readonly string[] {
  const from = approvers['from'];
  return Array.isArray(from) ? from.filter((name) => typeof name === 'string') : [];
}
