import type { ApprovalRequest } from '@wrongstack/contracts/control';
import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';
import { ApiProblem } from '../errors/api-problem.js';

/** Why this person is not among those who were asked: by name, by team or by role. Null = they are. */
export function whyNotAsked(
  { user, teams, roles }: Pick<Principal, 'user' | 'teams' | 'roles'>,
  { from, excludeRequester, requester }: ApprovalRequest,
): ApiProblem | null {
  if (excludeRequester && user === requester) return ownRequest();
  if (from.length === 0 || [user, ...teams, ...roles].some((name) => from.includes(name))) return null;
  return new ApiProblem(403, 'approval.not_asked', `only ${from.join(', ').slice(0, 500)} may answer this`);
}

export function ownRequest(): ApiProblem {
  return new ApiProblem(403, 'approval.own_request', 'somebody other than the requester must answer');
}

/** Whether their answer would be taken, as things stand: a page offers it then, and the API asks all the same. */
export function mayDecide(caller: Principal, request: ApprovalRequest): boolean {
  return (
    request.state.is === 'pending' &&
    abilitiesOf(caller).may('decide', 'Approval', { owner: request.requester }) &&
    whyNotAsked(caller, request) === null &&
    !request.answers.some(({ by }) => by === caller.user)
  );
}
