import * as fc from 'fast-check';
import { facts } from '../../spec/support/arbitrary-facts.js';
import { demands, documents, state, trust } from '../../spec/support/arbitrary-policies.js';
import { naiveDecide } from '../../spec/support/naive-evaluator.js';
import { HOME, PROJECT, syntheticFacts } from '../../spec/support/synthetic-facts.js';
import { policyDocument } from '../../spec/support/synthetic-policies.js';
import { compilePolicies } from '../rules/compiled-policies.js';
import type { TrustView } from '../trust/trust-entry.js';
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

  it('agree that nobody may call anything', () => {
    fc.assert(
      fc.property(facts, documents, trust, state, (call, policies, entries, current) => {
        const nobodys: typeof call = Object.assign({}, call, { actor: null });
        const context = {
          policies: compilePolicies(policies, { home: HOME }),
          trust: entries,
          state: current,
          failure: null,
        };
        const given = { facts: nobodys, documents: policies, trust: entries, state: current };
        const expected = naiveDecide({ ...given, failure: false, demands: [] });
        expect(decide(nobodys, context, [])).toMatchObject({ verdict: 'deny', demanded: expected.demanded });
      }),
      { numRuns: 200 },
    );
  });

  it('agree on folders that are read whole', () => {
    const folder = fc.constantFrom(
      '/',
      '/work',
      PROJECT,
      'src',
      'src/lib',
      'infra',
      '/home/ada',
      '/srv/data',
    );
    const globs = fc.subarray(
      [
        '**',
        'src/**',
        'src/*',
        'src',
        'src/lib/*.ts',
        '*.env',
        '**/*.pem',
        'a/**/b',
        '/home/**',
        '/srv/*',
        '~/x',
      ],
      { minLength: 1, maxLength: 2 },
    );
    const path = fc.oneof(
      globs.map((every) => ({ every })),
      globs.map((some) => ({ some })),
    );
    const when = fc.oneof(
      path.map((one) => ({ path: one })),
      path.map((one) => ({ not: { path: one } })),
    );
    const rules = fc.record({ effect: fc.constantFrom('allow' as const, 'deny' as const), when });
    const read = fc.record({ claimed: folder, recursive: fc.option(fc.constant(true as const)) });
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(read, { minLength: 1, maxLength: 2 }), rules, (reads, rule) => {
        const call = syntheticFacts({
          permission: 'confirm',
          declared: ['fs.read'],
          paths: reads.map(({ claimed, recursive }) => ({
            claimed,
            ...(recursive !== null && { recursive }),
          })),
        });
        const policies = [
          policyDocument({ tier: 'org', rules: [{ id: 'r', actions: ['fs.read'], ...rule }] }),
        ];
        const entries: TrustView = { status: 'ok', entries: [] };
        const context = {
          policies: compilePolicies(policies, { home: HOME }),
          trust: entries,
          failure: null,
        };
        const { verdict, demanded } = decide(call, { ...context, state: 'none' }, []);
        const given = { facts: call, documents: policies, trust: entries, failure: false, demands: [] };
        const expected = naiveDecide({ ...given, state: 'none' });
        seen.add(verdict);
        expect({ verdict, demanded }).toEqual({ verdict: expected.verdict, demanded: expected.demanded });
      }),
      { numRuns: 2000 },
    );
    expect([...seen].sort()).toEqual(['allow', 'confirm', 'deny']);
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
