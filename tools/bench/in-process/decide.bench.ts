import type { Facts } from '@wrongstack/contracts';
import { decide } from '../../../libs/policy/src/decide/decide.js';
import type { PolicyDocument, PolicyRule } from '../../../libs/policy/src/documents/policy-document.js';
import { compilePolicies } from '../../../libs/policy/src/rules/compiled-policies.js';
import { syntheticFacts } from '../../../libs/policy/spec/support/synthetic-facts.js';

export const name = 'decide() under 1,000 rules, 200 of them about the capability';

const RULES = 1000;
const IN_BUCKET = 200;
const OTHER_CAPABILITIES = ['fs.write', 'net.outbound', 'memory.read', 'session.todo'];

const { facts, context, byHand } = prepare();

/** `decide()` on computed facts under 1,000 rules, 200 of them about the call's capability. */
export function run(iterations: number): void {
  for (let times = 0; times < iterations; times++) decide(facts, context, []);
}

/** What it is measured against: a loop over the same 200 rules, written by hand for nothing but their conditions. */
export const baseline = {
  name: 'a loop by hand over the same 200 rules',
  run(iterations: number): void {
    for (let times = 0; times < iterations; times++) byHand(facts);
  },
};

/** At most so many times as long as the baseline, taken in turns within one run. */
export const limitRatio = 2;

function prepare() {
  const rules = Array.from({ length: RULES }, (_, index) => ruleFor(index));
  const policies = compilePolicies([documentOf(rules)], { home: '/home/ada' });
  return {
    facts: call(),
    context: {
      policies,
      trust: { status: 'ok' as const, entries: [] },
      state: 'fresh' as const,
      failure: null,
    },
    byHand: handWritten(rules.filter(({ actions }) => actions.includes('shell.arbitrary'))),
  };
}

function call(): Facts {
  return syntheticFacts({
    tool: 'bash',
    permission: 'confirm',
    declared: ['shell.arbitrary'],
    command: [{ argv: ['cd', 'packages/api'] }, { argv: ['npm', 'run', 'build', '--', '--watch=false'] }],
  });
}

/** Programs, tools and people as policies name them; none of them is this call's. */
function ruleFor(index: number): PolicyRule {
  const inBucket = index % (RULES / IN_BUCKET) === 0;
  const actions = inBucket
    ? ['shell.arbitrary']
    : [OTHER_CAPABILITIES[index % OTHER_CAPABILITIES.length] ?? 'fs.write'];
  const effects = ['deny', 'confirm', 'allow'] as const;
  const effect = effects[index % effects.length] ?? 'deny';
  const command = { argv: [`tool-${index}`, ['delete', 'drain', `purge-*`]] };
  const when =
    index % 2 === 0
      ? { command }
      : { command: { argv: [[`app-${index}`, `app-${index}-*`]] }, owner: ['core'] };
  return { id: `rule-${index}`, effect, actions, when, because: 'a rule of the benchmark' };
}

function documentOf(rules: readonly PolicyRule[]): PolicyDocument {
  return {
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id: 'bench', revision: 1, scope: { tier: 'org' } },
    rules,
  };
}

/** The comparison: precompiled like ours, and with no order, no explanation, no floors and no unknown facts to care for. */
function handWritten(rules: readonly PolicyRule[]): (facts: Facts) => string {
  const ready = rules.map((rule) => {
    const [first = [], second] = rule.when?.command?.argv ?? [];
    const tests = (words: string | readonly string[]): ((word: string) => boolean)[] =>
      [words].flat().map((word) => {
        const star = word.indexOf('*');
        return star === -1
          ? (text: string) => text === word
          : (text: string) => text.startsWith(word.slice(0, star));
      });
    return {
      effect: rule.effect,
      owner: rule.when?.owner,
      names: tests(first),
      rest: second === undefined ? null : tests(second),
    };
  });
  return (facts) => {
    let verdict = facts.permission === 'auto' ? 'allow' : 'confirm';
    if (facts.command === null || facts.command === 'unknown') return verdict;
    for (const { effect, owner, names, rest } of ready) {
      if (owner !== undefined && !owner.includes(facts.owner)) continue;
      for (const { argv } of facts.command.commands) {
        const word = argv[0] ?? '';
        const base = effect === 'allow' ? word : word.slice(word.lastIndexOf('/') + 1);
        if (!names.some((test) => test(base))) continue;
        if (rest !== null && !argv.slice(1).some((one) => one !== null && rest.some((test) => test(one))))
          continue;
        if (effect === 'deny') verdict = 'deny';
        else if (effect === 'confirm' && verdict === 'allow') verdict = 'confirm';
      }
    }
    return verdict;
  };
}
