import * as fc from 'fast-check';
import type { HookDemand, PolicyState, PolicyTier } from '@wrongstack/contracts';
import type {
  PolicyDocument,
  PolicyLocks,
  PolicyRule,
  RuleWhen,
  RuleWho,
} from '../../src/documents/policy-document.js';
import type { TrustEntry, TrustView } from '../../src/trust/trust-entry.js';
import { CAPABILITIES, NAMES, PATHS, TOOLS, TRAITS } from './arbitrary-facts.js';
import { PROJECT } from './synthetic-facts.js';
import { policyDocument, trustEntry } from './synthetic-policies.js';

/** Random documents and trust files over the vocabulary of the random facts. */
const PAST = '2026-01-01T00:00:00.000Z';
const FUTURE = '2027-01-01T00:00:00.000Z';
const GLOBS = [
  '**',
  'src/**',
  'infra/*',
  '*.env',
  '/etc/**',
  '~/notes/*',
  'set:places',
  `${PROJECT}/src/**`,
] as const;
const SETS = { places: ['infra/**', '/home/**'], words: ['git', 'npm*'] };

const some = <T>(...values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { minLength: 1, maxLength: Math.min(2, values.length) });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const commandWhen = fc.oneof(
  fc.record({
    argv: fc
      .tuple(
        some('git', '*git', 'npm', 'rm', 'set:readOnlyCommands', 'set:words'),
        fc.array(fc.constantFrom('status', 'pu*', '--force', 'x'), { maxLength: 1 }),
      )
      .map(([first, rest]) => [first, ...rest]),
    has: seldom(some(...TRAITS)),
  }),
  fc.record({ has: some(...TRAITS) }),
);
const everySome = (values: fc.Arbitrary<string[]>): fc.Arbitrary<{ every?: string[]; some?: string[] }> =>
  fc.oneof(
    values.map((every) => ({ every })),
    values.map((list) => ({ some: list })),
  );

const leaf: fc.Arbitrary<RuleWhen> = fc.oneof(
  fc.record({ tool: some(...TOOLS, 'b*') }),
  fc.record({ command: commandWhen }),
  fc.record({ path: everySome(some(...GLOBS)) }),
  fc.record({ command: commandWhen, path: everySome(some(...GLOBS)) }),
  fc.record({ host: everySome(some('*.corp.example', 'evil.example', '*')) }),
  fc.record({ riskTier: some('safe' as const, 'standard' as const, 'destructive' as const) }),
  fc.record({ owner: some('core', 'acme') }),
  fc.record({ interactive: fc.boolean() }),
  fc.record({ sandboxed: fc.boolean(), background: fc.boolean() }),
  fc.record({ mcp: fc.record({ server: some('docs', 'other'), pinned: seldom(fc.boolean()) }) }),
  fc.record({ cwd: some(...GLOBS) }),
);
const when: fc.Arbitrary<RuleWhen> = fc.oneof(
  { weight: 6, arbitrary: leaf },
  { weight: 1, arbitrary: fc.record({ not: leaf }) },
  { weight: 1, arbitrary: fc.record({ any: fc.array(leaf, { minLength: 1, maxLength: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      not: fc.record({ any: fc.tuple(leaf, fc.record({ not: leaf })).map((pair) => [...pair]) }),
    }),
  },
);
const who: fc.Arbitrary<RuleWho> = fc.oneof(
  fc.record({ user: some(...NAMES) }),
  fc.record({ team: some(...NAMES), role: some(...NAMES) }),
  fc.record({ plugin: some('acme') }),
  fc.record({ subagent: fc.oneof<fc.Arbitrary<boolean | string[]>[]>(fc.boolean(), some('scout', 'other')) }),
);

const EFFECTS: Readonly<Record<PolicyTier, readonly PolicyRule['effect'][]>> = {
  org: ['allow', 'allow', 'confirm', 'approve', 'deny', 'oblige'],
  team: ['allow', 'allow', 'confirm', 'approve', 'deny', 'oblige'],
  user: ['allow', 'allow', 'confirm', 'deny'],
  project: ['allow', 'confirm', 'deny', 'oblige'],
  plugin: ['allow', 'confirm'],
  orgDefault: ['confirm'],
  builtin: ['confirm', 'allow'],
};

/** Seldom a rule about everything: it would decide most calls alone. */
const ruleOf = (tier: PolicyTier, index: number): fc.Arbitrary<PolicyRule> =>
  fc
    .record({
      effect: fc.constantFrom(...EFFECTS[tier]),
      actions: fc.oneof(fc.constant(['*']), some(...CAPABILITIES, 'unknown')),
      who: seldom(who),
      when: fc.oneof({ weight: 5, arbitrary: when }, { weight: 1, arbitrary: fc.constant(undefined) }),
      mode: seldom(fc.constant('shadow' as const)),
      expiresAt: seldom(fc.constantFrom(PAST, FUTURE)),
      overridable: maybe(fc.boolean()),
      overrides: seldom(some('rule-0', 'rule-1')),
      acknowledgeDestructive: maybe(fc.boolean()),
      from: some('oncall', 'security'),
    })
    .map(({ from, ...rule }) => ({
      ...rule,
      id: `rule-${index}`,
      because: 'it was generated',
      acknowledgeDestructive: rule.effect === 'allow' ? rule.acknowledgeDestructive : undefined,
      approvers: rule.effect === 'approve' ? { count: 1, from } : undefined,
      obligations: rule.effect === 'oblige' ? [{ sandbox: 'no-network' as const }] : undefined,
    }));

const locks: fc.Arbitrary<PolicyLocks> = fc.record(
  {
    yolo: fc.constantFrom('off' as const, 'in-sandbox' as const, 'on' as const),
    trustGrants: fc.constantFrom('off' as const, 'persistent' as const),
    trustTtlHours: fc.constantFrom(1, 24, 720),
    headlessConfirm: fc.constantFrom('deny' as const, 'queue' as const),
    onUndetermined: fc.constantFrom('restricted' as const, 'refuse' as const),
    subagentMaxDepth: fc.constantFrom(0, 1, 2),
  },
  { requiredKeys: [] },
);

const documentOf = (tier: PolicyTier): fc.Arbitrary<PolicyDocument> =>
  fc
    .record({
      rules: fc.tuple(ruleOf(tier, 0), ruleOf(tier, 1)).chain((pair) => fc.subarray(pair)),
      mode: seldom(fc.constantFrom('shadow' as const, 'off' as const)),
      expiresAt: seldom(fc.constantFrom(PAST, FUTURE)),
      locks: seldom(locks),
    })
    .map((document) => policyDocument({ tier, sets: SETS, ...document }));

export const documents: fc.Arbitrary<PolicyDocument[]> = fc
  .subarray(['org', 'team', 'orgDefault', 'builtin', 'user', 'project', 'plugin'] as const, { maxLength: 4 })
  .chain((tiers) => fc.tuple(...tiers.map(documentOf)).map((list) => [...list]));

const entry: fc.Arbitrary<TrustEntry> = fc
  .record({
    effect: fc.oneof(
      { weight: 4, arbitrary: fc.constant('allow' as const) },
      { weight: 1, arbitrary: fc.constant('deny' as const) },
    ),
    tool: fc.constantFrom(...TOOLS),
    definitionDigest: fc.oneof(
      { weight: 4, arbitrary: fc.constant('sha256:note') },
      { weight: 1, arbitrary: fc.constant('sha256:old') },
    ),
    expiresAt: fc.constantFrom(PAST, FUTURE, null),
    subject: fc.oneof<fc.Arbitrary<TrustEntry['subject']>[]>(
      fc
        .array(fc.constantFrom('git', 'npm', 'status', 'push', '*', 'rm'), { minLength: 1, maxLength: 2 })
        .map((words) => ({ kind: 'command', words })),
      fc
        .record({
          path: fc.constantFrom(...PATHS),
          access: fc.constantFrom('read' as const, 'write' as const),
        })
        .map(({ path, access }) => ({
          kind: 'path',
          path: path.startsWith('/') ? path : `${PROJECT}/${path}`,
          access,
        })),
    ),
  })
  .map((one) => trustEntry(one));

export const trust: fc.Arbitrary<TrustView> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(entry, { maxLength: 3 }).map((entries): TrustView => ({
      status: 'ok',
      entries: entries.map((one, index) => ({ ...one, id: `entry-${index}` })),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<TrustView>({ status: 'corrupt', file: 'trust.json', reason: 'bad JSON' }),
  },
);

export const state: fc.Arbitrary<PolicyState> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('none' as const, 'fresh' as const, 'stale' as const) },
  { weight: 1, arbitrary: fc.constantFrom('expired' as const, 'undetermined' as const) },
);

export const demands: fc.Arbitrary<HookDemand[]> = fc.oneof(
  { weight: 9, arbitrary: fc.constant<HookDemand[]>([]) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('confirm' as const, 'approve' as const, 'deny' as const)
      .map((verdict) => [{ owner: 'guard', verdict, reason: 'the hook says so' }]),
  },
);
