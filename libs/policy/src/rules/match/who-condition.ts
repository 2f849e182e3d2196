import type { Identity } from '@wrongstack/contracts';
import type { RuleWho } from '../../documents/policy-document.js';
import type { CallView } from './call-view.js';
import { COST, type Condition, type ConditionContext } from './condition.js';
import { truthOf, type Truth } from './truth.js';
import { compileWordGlobs, type TextTest } from './word-glob.js';

/**
 * Whose calls a rule is about. Somebody nobody vouched for may be anybody: a declared name is unknown, and so is a
 * missing one, else logging out would shake off every denial that names a person.
 */
export function whoConditions(who: RuleWho, context: ConditionContext): Condition[] {
  const names = (key: Exclude<keyof RuleWho, 'subagent'>): TextTest | null => {
    const values = who[key];
    return values === undefined ? null : compileWordGlobs(context.expand(values, `who/${key}`));
  };
  const conditions: Condition[] = [];
  const add = (test: (call: CallView) => Truth): void => {
    conditions.push({ cost: COST.name, test: ({ call }) => test(call) });
  };

  for (const key of ['org', 'team', 'user', 'agent'] as const) {
    const isNamed = names(key);
    if (isNamed !== null) add(({ actor }) => identityIs(actor[key], isNamed));
  }
  const isRole = names('role');
  if (isRole !== null) add(({ actor }) => hasRole(actor.roles, actor.user, isRole));
  const isPlugin = names('plugin');
  if (isPlugin !== null) add(({ actor }) => truthOf(actor.plugin !== null && isPlugin(actor.plugin)));
  if (who.subagent !== undefined) add(subagentTest(who.subagent, context));
  return conditions;
}

function identityIs(identity: Identity | null, isNamed: TextTest): Truth {
  if (identity?.authenticated !== true) return 'unknown';
  return truthOf(isNamed(identity.name));
}

function hasRole(roles: readonly Identity[], user: Identity | null, isNamed: TextTest): Truth {
  let result: Truth = user?.authenticated === true ? 'no' : 'unknown';
  for (const role of roles) {
    const truth = identityIs(role, isNamed);
    if (truth === 'yes') return 'yes';
    if (truth === 'unknown') result = 'unknown';
  }
  return result;
}

function subagentTest(
  wanted: boolean | readonly string[],
  context: ConditionContext,
): (call: CallView) => Truth {
  if (typeof wanted === 'boolean') return ({ actor }) => truthOf(actor.subagentDepth > 0 === wanted);
  const isNamed = compileWordGlobs(context.expand(wanted, 'who/subagent'));
  return ({ actor }) => {
    if (actor.subagentDepth === 0) return 'no';
    return actor.subagent === null ? 'unknown' : truthOf(isNamed(actor.subagent));
  };
}
