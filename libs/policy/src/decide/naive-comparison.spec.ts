import * as fc from 'fast-check';
import { facts } from '../../spec/support/arbitrary-facts.js';
import { demands, documents, state, trust } from '../../spec/support/arbitrary-policies.js';
import { naiveDecide } from '../../spec/support/naive-evaluator.js';
import { HOME } from '../../spec/support/synthetic-facts.js';
import { compilePolicies } from '../rules/compiled-policies.js';
import { decide } from './decide.js';

describe('the engine and an evaluator that was written from the text alone', () => {
  it('agree on random calls under random policies', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(facts, documents, trust, state, demands, (call, policies, entries, current, hooks) => {
        const context = {
          policies: compilePolicies(policies, { home: HOME }),
          trust: entries,
          state: current,
          failure: null,
        };
        const { verdict, demanded, matches } = decide(call, context, hooks);
        const applied = matches
          .filter((match) => match.applied)
          .map(({ document, id }) => `${document}/${id}`);
        const expected = naiveDecide({
          facts: call,
          documents: policies,
          trust: entries,
          state: current,
          failure: false,
          demands: hooks,
        });
        seen.add(`${demanded} as ${verdict}`);
        expect({ verdict, demanded, applied: applied.sort() }).toEqual(expected);
      }),
      { numRuns: 4000 },
    );
    // A generator that only ever produces denials would agree about nothing.
    expect([...seen].sort()).toEqual([
      'allow as allow',
      'approve as approve',
      'approve as deny',
      'confirm as approve',
      'confirm as confirm',
      'confirm as deny',
      'deny as deny',
    ]);
  });

  it('agree that an unusable policy file denies', () => {
    const failure = { file: '/etc/wrongstack/policy.yaml', reason: 'bad YAML' };
    fc.assert(
      fc.property(facts, documents, (call, policies) => {
        const context = {
          policies: compilePolicies(policies),
          trust: { status: 'ok' as const, entries: [] },
          state: 'fresh' as const,
          failure,
        };
        const decided = decide(call, context, []);
        expect(decided.verdict).toBe('deny');
        expect(decided.because).toContain(failure.file);
      }),
      { numRuns: 50 },
    );
  });
});
