import type { RuleWhen } from '../../documents/policy-document.js';
import { callConditions } from './call-conditions.js';
import { commandCondition } from './command-condition.js';
import {
  conjunction,
  COST,
  opposite,
  type Approach,
  type Condition,
  type ConditionContext,
} from './condition.js';
import { hostCondition } from './host-condition.js';
import { pathCondition } from './path-condition.js';
import { either, not, type Truth } from './truth.js';

/** Every key of a `when`. They are ANDed by the caller, together with those of `who`. */
export function compileWhen(when: RuleWhen, approach: Approach, context: ConditionContext): Condition[] {
  const conditions = callConditions(when, approach, context);
  if (when.command !== undefined) conditions.push(commandCondition(when.command, approach, context));
  if (when.path !== undefined) conditions.push(pathCondition(when.path, approach, context));
  if (when.host !== undefined) conditions.push(hostCondition(when.host, approach, context));
  if (when.any !== undefined) conditions.push(anyCondition(when.any, approach, context));
  if (when.not !== undefined) {
    const inner = conjunction(compileWhen(when.not, opposite(approach), context));
    conditions.push({ cost: COST.nested, test: (subject, at) => not(inner(subject, at)) });
  }
  return conditions;
}

function anyCondition(
  branches: readonly RuleWhen[],
  approach: Approach,
  context: ConditionContext,
): Condition {
  const tests = branches.map((branch) => conjunction(compileWhen(branch, approach, context)));
  return {
    cost: COST.nested,
    test: (subject, at) => {
      let result: Truth = 'no';
      for (const test of tests) {
        result = either(result, test(subject, at));
        if (result === 'yes') return 'yes';
      }
      return result;
    },
  };
}
