import * as fc from 'fast-check';
import {
  CANONICAL_CAPABILITIES,
  VERDICTS,
  type Facts,
  type PolicyState,
  type RiskTier,
  type Verdict,
} from '@wrongstack/contracts';
import { facts } from '../../spec/support/arbitrary-facts.js';
import { demands, documents, state, trust } from '../../spec/support/arbitrary-policies.js';
import { HOME } from '../../spec/support/synthetic-facts.js';
import { policyDocument, trustEntry } from '../../spec/support/synthetic-policies.js';
import type { PolicyDocument, PolicyLocks, PolicyRule } from '../documents/policy-document.js';
import { compilePolicies } from '../rules/compiled-policies.js';
import type { TrustView } from '../trust/trust-entry.js';
import { decide } from './decide.js';
import type { Verdicts } from './verdicts.js';

const NO_TRUST: TrustView = { status: 'ok', entries: [] };

function decided(
  call: Facts,
  policies: readonly PolicyDocument[],
  entries: TrustView = NO_TRUST,
  current: PolicyState = 'none',
): Verdicts {
  const context = {
    policies: compilePolicies(policies, { home: HOME }),
    trust: entries,
    state: current,
    failure: null,
  };
  return decide(call, context, []);
}

const rank = (verdict: Verdict): number => VERDICTS.indexOf(verdict);

/** Strictness is compared before the channel: a headless session turns `confirm` into `deny` but can queue `approve`. */
function expectNoLooser(stricter: Verdicts, before: Verdicts): void {
  expect(rank(stricter.demanded)).toBeGreaterThanOrEqual(rank(before.demanded));
}

const stands = ({ floors }: Verdicts, ...kinds: string[]): boolean =>
  floors.some((floor) => floor.loweredBy === null && kinds.includes(floor.kind));

describe('invariants', () => {
  it('a tool that is switched off is denied', () => {
    fc.assert(
      fc.property(facts, documents, trust, state, (call, policies, entries, current) => {
        expect(decided({ ...call, permission: 'deny' }, policies, entries, current).verdict).toBe('deny');
      }),
      { numRuns: 300 },
    );
  });

  it('a policy that denies everything denies everything, whatever the other documents say', () => {
    const tiers = fc.constantFrom(
      'org' as const,
      'team' as const,
      'user' as const,
      'project' as const,
      'plugin' as const,
    );
    fc.assert(
      fc.property(facts, documents, trust, tiers, (call, policies, entries, tier) => {
        const deny = policyDocument({ tier, id: 'wall', rules: [{ id: 'wall', effect: 'deny' }] });
        expect(decided(call, [...policies, deny], entries).verdict).toBe('deny');
      }),
      { numRuns: 300 },
    );
  });

  it('YOLO never tightens, and changes nothing where a hard or an acknowledged floor stands', () => {
    fc.assert(
      fc.property(facts, documents, trust, state, (call, policies, entries, current) => {
        const without = decided(
          { ...call, session: { ...call.session, yolo: false } },
          policies,
          entries,
          current,
        );
        const yolo = decided(
          { ...call, session: { ...call.session, yolo: true } },
          policies,
          entries,
          current,
        );
        expectNoLooser(without, yolo);
        if (stands(yolo, 'hard', 'acknowledged', 'outside-read')) expect(yolo.verdict).toBe(without.verdict);
      }),
      { numRuns: 800 },
    );
  });

  it('trust grants never tighten, and change nothing where a hard or an acknowledged floor stands', () => {
    fc.assert(
      fc.property(facts, documents, trust, state, (call, policies, entries, current) => {
        if (entries.status !== 'ok') return;
        const grants = entries.entries.filter(({ effect }) => effect === 'allow');
        const without = decided(call, policies, NO_TRUST, current);
        const granted = decided(call, policies, { status: 'ok', entries: grants }, current);
        expectNoLooser(without, granted);
        if (stands(granted, 'hard', 'acknowledged')) expect(granted.verdict).toBe(without.verdict);
      }),
      { numRuns: 800 },
    );
  });

  it('a grant on a path lowers the outside-read floor of that path and, at most, the soft floors', () => {
    fc.assert(
      fc.property(facts, documents, (call, policies) => {
        if (call.paths === 'unknown') return;
        const entries = call.paths.map(({ real, access }) =>
          trustEntry({
            tool: call.tool,
            owner: call.owner,
            subject: { kind: 'path', path: real ?? '/', access },
          }),
        );
        const without = decided(call, policies);
        const granted = decided(call, policies, { status: 'ok', entries });
        const firm = (verdicts: Verdicts): unknown =>
          verdicts.floors.filter(({ kind }) => kind === 'hard' || kind === 'acknowledged');
        expect(firm(granted)).toEqual(firm(without));
      }),
      { numRuns: 400 },
    );
  });

  it('a corrupt trust file is no looser than an empty one', () => {
    fc.assert(
      fc.property(facts, documents, (call, policies) => {
        const corrupt: TrustView = { status: 'corrupt', file: 'trust.json', reason: 'bad JSON' };
        expectNoLooser(decided(call, policies, corrupt), decided(call, policies));
      }),
      { numRuns: 300 },
    );
  });

  it('a subagent is never looser than the agent that started it', () => {
    fc.assert(
      fc.property(facts, facts, documents, trust, state, (call, other, policies, entries, current) => {
        const parent = { ...other.actor, subagentDepth: 0, parent: null };
        const child = { ...call.actor, subagentDepth: 1, subagent: 'scout', parent };
        expectNoLooser(
          decided({ ...call, actor: child }, policies, entries, current),
          decided({ ...call, actor: parent }, policies, entries, current),
        );
      }),
      { numRuns: 800 },
    );
  });

  it('headless never prompts', () => {
    fc.assert(
      fc.property(facts, documents, trust, state, (call, policies, entries, current) => {
        const headless = { ...call, session: { ...call.session, interactive: false } };
        expect(decided(headless, policies, entries, current).verdict).not.toBe('confirm');
      }),
      { numRuns: 500 },
    );
  });

  it('a higher risk never loosens', () => {
    const pairs: readonly (readonly [RiskTier, RiskTier])[] = [
      ['safe', 'standard'],
      ['standard', 'destructive'],
      ['safe', 'destructive'],
    ];
    fc.assert(
      fc.property(
        facts,
        documents,
        trust,
        state,
        fc.constantFrom(...pairs),
        (call, policies, entries, current, pair) => {
          const at = (risk: RiskTier): Facts => ({ ...call, riskTier: risk, callRisk: risk });
          expectNoLooser(
            decided(at(pair[1]), policies, entries, current),
            decided(at(pair[0]), policies, entries, current),
          );
        },
      ),
      { numRuns: 800 },
    );
  });

  it('a worse policy state never loosens', () => {
    const order: readonly PolicyState[] = ['none', 'fresh', 'stale', 'expired', 'undetermined'];
    fc.assert(
      fc.property(facts, documents, trust, fc.nat(3), (call, policies, entries, index) => {
        expectNoLooser(
          decided(call, policies, entries, order[index + 1]),
          decided(call, policies, entries, order[index]),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('a stricter lock never loosens', () => {
    const locks = fc.constantFrom<PolicyLocks>(
      { yolo: 'off' },
      { yolo: 'in-sandbox' },
      { trustGrants: 'off' },
      { trustTtlHours: 1 },
      { headlessConfirm: 'deny' },
      { onUndetermined: 'refuse' },
      { subagentMaxDepth: 0 },
    );
    fc.assert(
      fc.property(facts, documents, trust, state, locks, (call, policies, entries, current, added) => {
        const tightened = [...policies, policyDocument({ tier: 'project', id: 'added', locks: added })];
        const after = decided(call, tightened, entries, current);
        const before = decided(call, policies, entries, current);
        expectNoLooser(after, before);
        expect(rank(after.verdict)).toBeGreaterThanOrEqual(rank(before.verdict));
      }),
      { numRuns: 600 },
    );
  });

  it('making one rule stricter never loosens', () => {
    fc.assert(
      fc.property(facts, documents, trust, fc.nat(), fc.nat(), (call, policies, entries, which, how) => {
        const stricter = tightenOne(policies, which, how);
        expectNoLooser(decided(call, stricter, entries), decided(call, policies, entries));
      }),
      { numRuns: 2000 },
    );
  });

  it('adding a capability to a tool that declares one never loosens', () => {
    const capability = fc.constantFrom(...CANONICAL_CAPABILITIES, 'acme.deploy', 'other.thing');
    fc.assert(
      fc.property(facts, documents, trust, state, capability, (call, policies, entries, current, added) => {
        fc.pre(call.declared.length > 0);
        const others = call.effective.filter(({ name }) => name !== added);
        const wider: Facts = {
          ...call,
          declared: [...call.declared, added],
          effective: [...others, { name: added, declared: true, carriedBy: 'all' }],
        };
        expectNoLooser(decided(wider, policies, entries, current), decided(call, policies, entries, current));
      }),
      { numRuns: 1000 },
    );
  });

  it('unknown facts never match an allow that asks about them', () => {
    fc.assert(
      fc.property(facts, documents, (call, policies) => {
        const blind: Facts = {
          ...call,
          paths: 'unknown',
          hosts: 'unknown',
          command: 'unknown',
          riskTier: 'unknown',
        };
        const asking = policies.flatMap(({ metadata, rules }) =>
          rules
            .filter(
              ({ effect, when }) =>
                effect === 'allow' && (when?.path ?? when?.host ?? when?.command ?? when?.riskTier),
            )
            .map(({ id }) => `${metadata.id}/${id}`),
        );
        const matched = decided(blind, policies).matches.map(({ document, id }) => `${document}/${id}`);
        expect(matched.filter((rule) => asking.includes(rule))).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });

  it('the order of rules and documents never matters', () => {
    fc.assert(
      fc.property(facts, documents, trust, state, demands, (call, policies, entries, current, hooks) => {
        const backwards = policies
          .map((document) => ({ ...document, rules: document.rules.toReversed() }))
          .reverse();
        const decideWith = (list: readonly PolicyDocument[]): Verdicts =>
          decide(
            call,
            { policies: compilePolicies(list), trust: entries, state: current, failure: null },
            hooks,
          );
        expect(decideWith(backwards)).toEqual(decideWith(policies));
      }),
      { numRuns: 500 },
    );
  });

  it('a document of a repository or a plugin never loosens', () => {
    fc.assert(
      fc.property(facts, documents, trust, (call, policies, entries) => {
        const { tiers, foreign } = split(policies);
        expectNoLooser(decided(call, [...tiers, ...foreign], entries), decided(call, tiers, entries));
      }),
      { numRuns: 800 },
    );
  });

  it('the same facts give the same answer, and are not changed', () => {
    fc.assert(
      fc.property(facts, documents, trust, (call, policies, entries) => {
        const copy = structuredClone(call);
        expect(decided(call, policies, entries)).toEqual(decided(copy, policies, entries));
        expect(call).toEqual(copy);
      }),
      { numRuns: 200 },
    );
  });
});

function split(policies: readonly PolicyDocument[]): { tiers: PolicyDocument[]; foreign: PolicyDocument[] } {
  const isForeign = ({ metadata }: PolicyDocument): boolean =>
    ['project', 'plugin'].includes(metadata.scope.tier);
  return { tiers: policies.filter((one) => !isForeign(one)), foreign: policies.filter(isForeign) };
}

/** One rule of one document, made stricter in one of the ways in which a rule can be. */
function tightenOne(policies: readonly PolicyDocument[], which: number, how: number): PolicyDocument[] {
  const places = policies.flatMap((document, at) =>
    document.rules.map((_, index) => ({ document, at, index })),
  );
  const place = places[which % Math.max(places.length, 1)];
  if (place === undefined) return [...policies];
  const soft = ['orgDefault', 'builtin'].includes(place.document.metadata.scope.tier);
  return policies.map((document, at) => {
    if (at !== place.at) return document;
    const rules = document.rules.flatMap((rule, index) =>
      index === place.index ? tighten(rule, soft, how) : [rule],
    );
    return { ...document, rules };
  });
}

function tighten(rule: PolicyRule, soft: boolean, how: number): PolicyRule[] {
  const from = rule.approvers?.from ?? ['oncall'];
  if (rule.effect === 'allow') {
    const ways: PolicyRule[][] = [
      [],
      [{ ...rule, acknowledgeDestructive: false }],
      [{ ...rule, overrides: undefined }],
      [{ ...rule, mode: 'shadow' }],
      [{ ...rule, acknowledgeDestructive: undefined, effect: 'confirm' }],
      soft ? [] : [{ ...rule, acknowledgeDestructive: undefined, effect: 'deny' }],
    ];
    return ways[how % ways.length] ?? [];
  }
  const ways: PolicyRule[] = [
    { ...rule, overridable: false },
    { ...rule, overrides: undefined },
    { ...rule, mode: undefined, overrides: undefined },
    { ...rule, when: undefined, who: undefined, overrides: undefined },
    { ...rule, actions: ['*'], overrides: undefined },
    ...(soft || rule.effect === 'oblige' ? [] : [{ ...rule, effect: 'deny' as const, approvers: undefined }]),
    ...(soft || rule.effect !== 'confirm'
      ? []
      : [{ ...rule, effect: 'approve' as const, approvers: { count: 1, from } }]),
  ];
  return [ways[how % ways.length] ?? rule];
}
