import { ApiProblem } from '../errors/api-problem.js';
import { type Abilities, abilitiesOf } from './compile-ability.js';
import type { Principal } from './principal.js';
import type { Action, Subject } from './role-abilities.js';

/** A request behind the guard. */
export interface Authenticated {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  principal?: Principal;
  /** Of a session: whether it still stands, for what goes on for long. */
  stillStands?: () => Promise<boolean>;
}

/** After the guard; without it there is no caller, and no answer. */
export function callerOf(request: Authenticated): Principal {
  if (request.principal === undefined) throw unauthenticated();
  return request.principal;
}

export function unauthenticated(): ApiProblem {
  return new ApiProblem(401, 'auth.required', 'send a valid bearer token', [], {
    'www-authenticate': 'Bearer',
  });
}

/**
 * Throws unless the caller may do this to this very thing. What somebody may not see is answered like what is not there, with
 * `missing`; what they may see but not change is 403.
 */
export function requireAbility(
  principal: Principal,
  action: Action,
  subject: Subject,
  thing: { readonly owner: string | null },
  missing: ApiProblem,
): void {
  const abilities: Abilities = abilitiesOf(principal);
  if (abilities.may(action, subject, thing)) return;
  throw abilities.may('read', subject, thing) ? forbidden(action, subject) : missing;
}

export function forbidden(action: Action, subject: Subject): ApiProblem {
  return new ApiProblem(
    403,
    'auth.forbidden',
    `your roles or your token's scopes do not allow ${action} on ${subject}`,
  );
}
