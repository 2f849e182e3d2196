import { createMongoAbility, type MongoAbility, subject as typed } from '@casl/ability';
import type { Principal, Role } from './principal.js';
import { type Action, NEVER_AN_AGENTS, ROLE_ABILITIES, type Subject } from './role-abilities.js';

/** What somebody may do. */
export interface Abilities {
  /** Whether there is anything of this kind at all that it may be done to: enough to refuse early, never to let through. */
  mayAny(action: Action, subject: Subject): boolean;
  /** Whether it may be done to this very thing, which belongs to `owner`. */
  may(action: Action, subject: Subject, thing: { readonly owner: string | null }): boolean;
}

const compiled = new Map<string, MongoAbility>();

/** The only file of this app that asks CASL. Compiled once for each set of roles. */
export function abilitiesOf(principal: Pick<Principal, 'kind' | 'roles' | 'scopes' | 'user'>): Abilities {
  const ability = compile(principal.roles);
  const inScope = (action: Action, subject: Subject): boolean => {
    if (principal.kind === 'agent' && NEVER_AN_AGENTS.includes(subject)) return false;
    return (
      principal.scopes?.some((scope) => scope === `${action}:${subject}` || scope === `*:${subject}`) ?? true
    );
  };
  return {
    mayAny: (action, subject) => inScope(action, subject) && ability.can(action, subject),
    may: (action, subject, { owner }) =>
      inScope(action, subject) &&
      // An instance, since CASL ignores conditions when it is asked about a kind.
      ability.can(action, typed(subject, { mine: owner !== null && owner === principal.user })),
  };
}

function compile(roles: readonly Role[]): MongoAbility {
  const key = [...roles].sort().join(' ');
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const rules = roles
    .flatMap((role) => ROLE_ABILITIES[role])
    .map(({ actions, subjects, mine }) => ({
      action: [...actions],
      subject: [...subjects],
      ...(mine === true ? { conditions: { mine: true } } : {}),
    }));
  const ability = createMongoAbility(rules);
  compiled.set(key, ability);
  return ability;
}
