import type { Schema } from '../http/route-contract.js';
import { abilitiesOf } from './compile-ability.js';
import type { Principal } from './principal.js';
import { ACTIONS, SUBJECTS } from './role-abilities.js';

export const ABILITY_NAMES: Schema = {
  type: 'array',
  items: { type: 'string', pattern: '^[a-z]+:[A-Za-z]+$' },
};

/** From the same table that every route asks. */
export function abilityNames(caller: Pick<Principal, 'kind' | 'roles' | 'scopes' | 'user'>): {
  readonly abilities: readonly string[];
  readonly ownAbilities: readonly string[];
} {
  const may = abilitiesOf(caller);
  const all = SUBJECTS.flatMap((subject) => ACTIONS.map((action) => [action, subject] as const));
  const name = ([action, subject]: (typeof all)[number]): string => `${action}:${subject}`;
  const anybodys = all.filter(([action, subject]) => may.may(action, subject, { owner: null }));
  const own = all.filter((one) => !anybodys.includes(one) && may.may(...one, { owner: caller.user }));
  return { abilities: anybodys.map(name), ownAbilities: own.map(name) };
}
