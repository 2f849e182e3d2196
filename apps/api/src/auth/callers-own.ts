import { abilitiesOf } from './compile-ability.js';
import type { Principal } from './principal.js';
import type { Action, Subject } from './role-abilities.js';

/**
 * Whose things a list may hold: null = everybody's, else this person's alone. A list is filtered by the store; what it gives was
 * asked with a thing of nobody, never by the kind.
 */
export function callersOwn(caller: Principal, action: Action, subject: Subject): string | null {
  return abilitiesOf(caller).may(action, subject, { owner: null }) ? null : caller.user;
}
