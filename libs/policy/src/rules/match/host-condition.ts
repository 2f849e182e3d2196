import type { HostFact } from '@wrongstack/contracts';
import type { RuleWhen } from '../../documents/policy-document.js';
import { WHOLE_CALL, type CallSubject } from './call-view.js';
import { believes, COST, type Approach, type Condition, type ConditionContext } from './condition.js';
import { compileHostPattern } from './host-pattern.js';
import { both, either, type Truth } from './truth.js';

type When = NonNullable<RuleWhen['host']>;
type HostListTest = (host: HostFact) => Truth;

export function hostCondition(when: When, approach: Approach, context: ConditionContext): Condition {
  const every = when.every === undefined ? null : compileHostList(when.every, 'when/host/every', context);
  const some = when.some === undefined ? null : compileHostList(when.some, 'when/host/some', context);
  const ask = ({ call }: CallSubject, at: number): Truth => {
    const { hosts, claimsTrusted } = call.facts;
    if (hosts === 'unknown' || !believes(claimsTrusted, approach, context)) return 'unknown';
    const first = every === null ? 'yes' : everyHost(hosts, at, every);
    return some === null || first === 'no' ? first : both(first, someHost(hosts, at, some));
  };
  return { cost: COST.host, test: ask };
}

function compileHostList(
  patterns: readonly string[],
  field: string,
  context: ConditionContext,
): HostListTest {
  const tests = context.expand(patterns, field).map((pattern) => {
    const test = compileHostPattern(pattern);
    return typeof test === 'string' ? context.fail(field, `"${pattern}" ${test}`) : test;
  });
  return (host) => {
    let result: Truth = 'no';
    for (const test of tests) {
      const truth = test(host);
      if (truth === 'yes') return 'yes';
      result = either(result, truth);
    }
    return result;
  };
}

const isAbout = (host: HostFact, at: number): boolean =>
  at === WHOLE_CALL || host.command === null || host.command === at;

function everyHost(hosts: readonly HostFact[], at: number, isMeant: HostListTest): Truth {
  let result: Truth = 'yes';
  let asked = false;
  for (const host of hosts) {
    if (!isAbout(host, at)) continue;
    asked = true;
    result = both(result, isMeant(host));
    if (result === 'no') return 'no';
  }
  return asked ? result : 'unknown';
}

function someHost(hosts: readonly HostFact[], at: number, isMeant: HostListTest): Truth {
  let result: Truth = 'no';
  for (const host of hosts) {
    if (!isAbout(host, at)) continue;
    const truth = isMeant(host);
    if (truth === 'yes') return 'yes';
    result = either(result, truth);
  }
  return result;
}
