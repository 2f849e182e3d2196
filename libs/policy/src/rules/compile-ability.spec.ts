// eslint-disable-next-line wrongstack/module-owners -- shows what using CASL directly would do, beside what we do
import { createMongoAbility, subject } from '@casl/ability';
import type { Facts } from '@wrongstack/contracts';
import { syntheticFacts, type FactsOverrides } from '../../spec/support/synthetic-facts.js';
import { policyContext, policyDocument, type RuleOverrides } from '../../spec/support/synthetic-policies.js';
import { decide } from '../decide/decide.js';
import { capabilitiesOf } from '../decide/capabilities.js';
import { compilePolicies } from './compiled-policies.js';
import { CallView } from './match/call-view.js';

/** The verdict of ours for a tool that otherwise needs no confirmation, or one that does. */
function verdict(rules: readonly RuleOverrides[], overrides: FactsOverrides = {}): string {
  const facts = syntheticFacts({ declared: ['shell.arbitrary'], ...overrides });
  return decide(facts, policyContext({ documents: [policyDocument({ tier: 'org', rules })] }), []).verdict;
}

const strictest = (facts: Facts, rules: readonly RuleOverrides[]): string | undefined => {
  const policies = compilePolicies([policyDocument({ tier: 'org', rules })]);
  const [capability] = capabilitiesOf(new CallView(facts));
  const asked = capability?.subjects[0];
  return asked === undefined ? undefined : policies.strictestRule(asked)?.id;
};

describe('CASL traps', () => {
  it('asking about a type ignores conditions; we ask about an instance', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool', conditions: { riskTier: 'safe' } },
    ] as never);
    expect(naive.can('execute', 'Tool')).toBe(true);

    const naiveDenial = createMongoAbility([
      { action: 'execute', subject: 'Tool' },
      { action: 'execute', subject: 'Tool', inverted: true, conditions: { name: 'bash' } },
    ] as never);
    expect(naiveDenial.can('execute', 'Tool')).toBe(true);

    const allowSafe: RuleOverrides = { effect: 'allow', when: { riskTier: ['safe'] } };
    expect(verdict([allowSafe], { permission: 'confirm', callRisk: 'standard' })).toBe('confirm');
    const denyBash: RuleOverrides = { effect: 'deny', when: { tool: ['bash'] } };
    expect(verdict([{ effect: 'allow' }, denyBash], { tool: 'bash' })).toBe('deny');
  });

  it('the last rule wins; our order makes that the strictest one, however the file is sorted', () => {
    const denial = { action: 'execute', subject: 'Tool', inverted: true, conditions: { name: 'bash' } };
    const naive = createMongoAbility([denial, { action: 'execute', subject: 'Tool' }] as never);
    expect(naive.can('execute', subject('Tool', { name: 'bash' }) as never)).toBe(true);

    const rules: RuleOverrides[] = [
      { id: 'no', effect: 'deny', when: { tool: ['bash'] } },
      { id: 'ask', effect: 'confirm' },
      { id: 'yes', effect: 'allow' },
    ];
    expect(verdict(rules, { tool: 'bash' })).toBe('deny');
    expect(verdict(rules.toReversed(), { tool: 'bash' })).toBe('deny');
    const bash = syntheticFacts({ tool: 'bash', declared: ['fs.read'] });
    expect(strictest(bash, rules)).toBe('no');
    expect(strictest(bash, rules.toReversed())).toBe('no');
    expect(strictest(syntheticFacts({ declared: ['fs.read'] }), rules)).toBe('ask');
  });

  it('$or, $and, $not and misspelt operators never deny; ours are compiled and unknown keys are no operators', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool' },
      {
        action: 'execute',
        subject: 'Tool',
        inverted: true,
        conditions: { $or: [{ name: 'bash' }, { name: 'exec' }] },
      },
    ] as never);
    // Whether it throws or lets the call pass, the denial is not there.
    expect(attempt(() => naive.can('execute', subject('Tool', { name: 'bash' }) as never))).not.toBe(false);

    const misspelt = createMongoAbility([
      { action: 'execute', subject: 'Tool' },
      { action: 'execute', subject: 'Tool', inverted: true, conditions: { name: { $neq: 'read' } } },
    ] as never);
    expect(misspelt.can('execute', subject('Tool', { name: 'bash' }) as never)).toBe(true);

    const any: RuleOverrides = { effect: 'deny', when: { any: [{ tool: ['bash'] }, { tool: ['exec'] }] } };
    expect(verdict([any], { tool: 'bash' })).toBe('deny');
    expect(verdict([any], { tool: 'exec' })).toBe('deny');
    expect(verdict([any], { tool: 'read' })).toBe('allow');
    const unless: RuleOverrides = { effect: 'deny', when: { not: { tool: ['read'] } } };
    expect(verdict([unless], { tool: 'bash' })).toBe('deny');
    expect(verdict([unless], { tool: 'read' })).toBe('allow');
  });

  it('a missing attribute satisfies $ne and escapes $in; unknown facts satisfy our denials and none of our allows', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool', conditions: { riskTier: { $ne: 'destructive' } } },
    ] as never);
    expect(naive.can('execute', subject('Tool', { name: 'plugin_tool' }) as never)).toBe(true);
    const escaping = createMongoAbility([
      { action: 'execute', subject: 'Tool' },
      { action: 'execute', subject: 'Tool', inverted: true, conditions: { riskTier: 'destructive' } },
    ] as never);
    expect(escaping.can('execute', subject('Tool', { name: 'plugin_tool' }) as never)).toBe(true);

    const untiered: FactsOverrides = { riskTier: 'unknown', permission: 'confirm' };
    expect(verdict([{ effect: 'deny', when: { riskTier: ['destructive'] } }], untiered)).toBe('deny');
    expect(verdict([{ effect: 'allow', when: { not: { riskTier: ['destructive'] } } }], untiered)).toBe(
      'confirm',
    );
  });

  it('$in on a list means any member; our allows need every path and every command', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool', conditions: { paths: { $in: ['src/a'] } } },
    ] as never);
    expect(naive.can('execute', subject('Tool', { paths: ['src/a', '/etc/passwd'] }) as never)).toBe(true);

    const sources: RuleOverrides = { effect: 'allow', when: { path: { every: ['src/**'] } } };
    const paths = [{ claimed: 'src/a' }, { claimed: 'infra/b' }];
    expect(verdict([sources], { permission: 'confirm', declared: ['fs.read'], paths })).toBe('confirm');
    expect(
      verdict([sources], { permission: 'confirm', declared: ['fs.read'], paths: paths.slice(0, 1) }),
    ).toBe('allow');
  });

  it('missing or misspelt conditions are unconditional; each of our rules carries its matcher', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool', conditions: null, condition: { name: 'read' } },
    ] as never);
    expect(naive.can('execute', subject('Tool', { name: 'bash' }) as never)).toBe(true);

    const narrow: RuleOverrides = { effect: 'allow', when: { tool: ['read'] } };
    expect(verdict([narrow], { tool: 'bash', permission: 'confirm' })).toBe('confirm');
  });

  it('input can name its own subject type, and subject() needs an object it may change; ours has one type', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool', inverted: true },
      { action: 'execute', subject: 'Pet' },
    ] as never);
    expect(naive.can('execute', { __caslSubjectType__: 'Pet', name: 'bash' } as never)).toBe(true);
    expect(() => subject('Tool', Object.freeze({ name: 'bash' }))).toThrow();

    const spoofed = { ...syntheticFacts({ declared: ['fs.read'] }), __caslSubjectType__: 'Pet' };
    expect(strictest(Object.freeze(spoofed), [{ id: 'no', effect: 'deny' }])).toBe('no');
  });

  it('`all` and `manage` are wildcards; to us they are names like any other', () => {
    const naive = createMongoAbility([{ action: 'manage', subject: 'all' }] as never);
    expect(naive.can('shell.arbitrary', subject('Tool', { name: 'bash' }) as never)).toBe(true);

    const manage: RuleOverrides = { effect: 'allow', actions: ['manage'] };
    expect(verdict([manage], { tool: 'all', permission: 'confirm' })).toBe('confirm');
    // A capability that somebody names like our own wildcard is an unknown one and nothing more.
    for (const name of ['manage', '*', '\u0000any action']) {
      const facts: FactsOverrides = { declared: [name], permission: 'confirm' };
      expect(verdict([{ effect: 'allow', actions: ['fs.read'] }], facts)).toBe('confirm');
      expect(verdict([{ effect: 'deny', actions: ['unknown'] }], facts)).toBe('deny');
    }
  });

  it('a bad matcher throws in the middle of a run; ours when the document loads', () => {
    const naive = createMongoAbility([
      { action: 'execute', subject: 'Tool', conditions: { name: { $in: 'bash' } } },
    ] as never);
    expect(() => naive.can('execute', subject('Tool', { name: 'bash' }) as never)).toThrow();

    const bad: RuleOverrides = { id: 'bad-hours', effect: 'deny', when: { time: { tz: 'Mars/Olympus' } } };
    expect(() => compilePolicies([policyDocument({ tier: 'org', id: 'ours', rules: [bad] })])).toThrow(
      /policy ours: rule bad-hours: when\/time: "Mars\/Olympus" is no time zone/,
    );
  });

  it('CASL carries the rule: the reason and the way back to it', () => {
    const facts = syntheticFacts({ declared: ['fs.read'] });
    const policies = compilePolicies([
      policyDocument({ tier: 'team', rules: [{ id: 'no', effect: 'deny' }] }),
    ]);
    const [capability] = capabilitiesOf(new CallView(facts));
    const found = policies.strictestRule(capability!.subjects[0]!);
    expect(found).toMatchObject({
      id: 'no',
      tier: 'team',
      effect: 'deny',
      rule: { because: 'because of no' },
    });
  });
});

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch {
    return 'throws';
  }
}
