import type { SessionView } from '../../session/session-view.js';
import type { Approval } from './approvals.js';

/** Does this request wait for this very person? The API has the last word. */
export function waitsFor({ state, requester, approvers }: Approval, me: SessionView): boolean {
  if (state !== 'pending' || !me.abilities.includes('decide:Approval')) return false;
  const { from, excludeRequester } = approvers;
  if (excludeRequester && requester.id === me.user.id) return false;
  return from.length === 0 || [me.user.id, ...me.teams, ...me.roles].some((name) => from.includes(name));
}
