import { syntheticFacts } from '../../spec/support/synthetic-facts.js';
import {
  policyDocument,
  type DocumentOverrides,
  type RuleOverrides,
} from '../../spec/support/synthetic-policies.js';
import { compilePolicies } from './compiled-policies.js';
import { whyNoMatch } from './match/why-no-match.js';

const compileRule = (rule: RuleOverrides, document: Partial<DocumentOverrides> = {}) =>
  compilePolicies([
    policyDocument({ tier: 'org', id: 'ours', ...document, rules: [{ id: 'bad', ...rule }] }),
  ]);

describe('compiling policies', () => {
  it.each<[string, RuleOverrides, Partial<DocumentOverrides>, RegExp]>([
    [
      'a glob of another dialect',
      { effect: 'deny', when: { path: { some: ['[ab].ts'] } } },
      {},
      /rule bad: when\/path\/some: "\[ab\]\.ts"/,
    ],
    [
      'below any and not as well',
      { effect: 'deny', when: { any: [{ not: { host: { some: ['a/b'] } } }] } },
      {},
      /when\/host\/some/,
    ],
    ['a set that is not there', { effect: 'deny', when: { tool: ['set:none'] } }, {}, /there is no set none/],
    [
      'a set in itself',
      { effect: 'deny' },
      { sets: { a: ['set:b'], b: ['set:a'] } },
      /policy ours: sets\/a: set \w contains itself/,
    ],
    [
      'a set named like a built-in one',
      { effect: 'deny' },
      { sets: { readOnlyCommands: ['ls'] } },
      /readOnlyCommands/,
    ],
    [
      'the built-in set where no command stands',
      { effect: 'deny', when: { tool: ['set:readOnlyCommands'] } },
      {},
      /first word of command/,
    ],
    [
      'the built-in set in the middle',
      { effect: 'deny', when: { command: { argv: ['git', 'set:readOnlyCommands'] } } },
      {},
      /can only come first/,
    ],
    [
      'a command line in one word',
      { effect: 'deny', when: { command: { argv: ['git push'] } } },
      {},
      /several words/,
    ],
    ['an approval by nobody', { effect: 'approve' }, {}, /approvers: say who/],
    ['an obligation to nothing', { effect: 'oblige' }, {}, /obligations: say what/],
    [
      'an acknowledging denial',
      { effect: 'deny', acknowledgeDestructive: true },
      {},
      /only an allow acknowledges/,
    ],
    ['a denial in a default', { effect: 'deny' }, { tier: 'orgDefault' }, /can only confirm/],
    ['an allow in a default', { effect: 'allow' }, { tier: 'orgDefault' }, /can only confirm/],
    ['a date that is none', { effect: 'deny', expiresAt: 'soon' }, {}, /expiresAt: "soon"/],
  ])('refuses %s when it loads', (_, rule, document, message) => {
    expect(() => compileRule(rule, document)).toThrow(message);
    expect(() => compileRule(rule, document)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^policy\./) }),
    );
  });

  it('refuses two rules of one name', () => {
    const twice = policyDocument({
      tier: 'org',
      rules: [
        { id: 'a', effect: 'deny' },
        { id: 'a', effect: 'allow' },
      ],
    });
    expect(() => compilePolicies([twice])).toThrow(/rule a: id: two rules have it/);
  });

  it('says which document governs', () => {
    const user = policyDocument({ tier: 'user', id: 'mine' });
    const team = policyDocument({ tier: 'team', id: 'ours' });
    expect(compilePolicies([user, team])).toMatchObject({ id: 'ours', revision: 1 });
    expect(compilePolicies([policyDocument({ tier: 'builtin' })])).toMatchObject({
      id: null,
      revision: null,
    });
    expect(compilePolicies([])).toMatchObject({ id: null, rules: [] });
  });

  it('leaves out the documents of other teams', () => {
    const documents = ['payments', 'search'].map((ref) =>
      policyDocument({ tier: 'team', id: ref, ref, rules: [{ id: 'no', effect: 'deny' }] }),
    );
    const ids = (tenant?: { team?: string }): string[] =>
      compilePolicies(documents, { tenant })
        .rules.map(({ document }) => document)
        .sort();
    expect(ids({ team: 'payments' })).toEqual(['payments']);
    expect(ids()).toEqual(['payments', 'search']);
  });

  it('does not know a home folder that nobody named', () => {
    const [rule] = compileRule({ effect: 'deny', when: { path: { some: ['~/x'] } } }).rules;
    const [allow] = compileRule({ effect: 'allow', when: { path: { some: ['~/x'] } } }).rules;
    const facts = syntheticFacts({ paths: [{ claimed: '/home/ada/x' }] });
    expect([rule, allow].map((one) => one!.namesPath!(facts.paths[0] as never, facts.project))).toEqual([
      'unknown',
      'unknown',
    ]);
  });
});

describe('why a rule does not match', () => {
  const facts = syntheticFacts({ tool: 'bash', declared: ['shell.arbitrary'], command: [{ argv: ['ls'] }] });
  const why = (rule: RuleOverrides): string => whyNoMatch(compileRule(rule).rules[0]!, facts);

  it.each<[RuleOverrides, string]>([
    [{ effect: 'allow', when: { tool: ['test', 'lint'] } }, 'tool is not test, lint'],
    [{ effect: 'deny', actions: ['net.outbound'] }, 'no capability of the call is net.outbound'],
    [
      { effect: 'deny', when: { command: { argv: ['git', ['push', 'pull']] } } },
      'no command is "git push|pull"',
    ],
    [{ effect: 'allow', when: { command: { argv: ['git'] } } }, 'a command is not "git" as written'],
    [
      { effect: 'allow', when: { command: { argv: ['set:readOnlyCommands'] } } },
      'a command is not one of readOnlyCommands as written',
    ],
    [{ effect: 'deny', when: { path: { some: ['infra/**'] } } }, 'paths are not infra/**'],
    [{ effect: 'deny', when: { interactive: false } }, 'interactive is true'],
    [{ effect: 'deny', expiresAt: '2026-01-01T00:00:00Z' }, 'it expired at 2026-01-01T00:00:00Z'],
    [{ effect: 'allow', who: { user: ['ada'] } }, 'user is nobody, it is about ada'],
    [{ effect: 'deny', when: { mcp: { pinned: false } } }, 'it is no MCP tool'],
  ])('%j', (rule, expected) => {
    expect(why(rule)).toBe(expected);
  });
});
