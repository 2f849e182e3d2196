import type { PolicyDocument, PolicyRule } from './policy-document.js';
import { diffPolicies } from './policy-diff.js';
import { lintPolicies } from './policy-lint.js';
import { profileDocument } from './profile-documents.js';

const clock = { now: () => Date.parse('2026-11-30T14:02:00Z') };

const document = (rules: readonly PolicyRule[], change: Partial<PolicyDocument> = {}): PolicyDocument => ({
  apiVersion: 'policy.wrongstack/v1',
  kind: 'CapabilityPolicy',
  metadata: { id: 'acme', revision: 7, scope: { tier: 'org' } },
  rules,
  tests: rules.map(({ id }) => ({
    name: id,
    call: { tool: 'bash' },
    expect: { verdict: 'deny', rule: id },
  })),
  ...change,
});
const rule = (id: string, effect: PolicyRule['effect'], change: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  effect,
  actions: ['fs.write'],
  because: 'because of the test',
  ...change,
});

describe('linting a policy', () => {
  const codes = (subject: PolicyDocument) =>
    lintPolicies([subject], { clock, knownCapabilities: ['acme.deploy'] }).map(({ code, rule: id }) => [
      code,
      id,
    ]);

  it.each([
    rule('a', 'deny', { actions: ['fs.write'], when: { path: { some: ['secret/**'] } } }),
    rule('a', 'deny', { actions: ['fs.read'], when: { path: { some: ['**'] } } }),
    rule('a', 'allow', { actions: ['fs.read'], when: { path: { some: ['secret/**'] } } }),
  ])('does not speak of whole folders where none is caught for a part of it: %j', (subject) => {
    const writes = subject.actions.includes('fs.write') ? ['recursive-writes'] : [];
    const found = codes(document([subject])).map(([code]) => code);
    expect(found.filter((code) => code?.startsWith('recursive-'))).toEqual(writes);
  });

  it('finds nothing in a careful one', () => {
    expect(codes(document([rule('a', 'deny', { when: { tool: ['write'] } })]))).toEqual([]);
  });

  it.each<[string, PolicyDocument, [string, string | null]]>([
    [
      'a path that binds no unknown program',
      document([rule('a', 'deny', { when: { any: [{ path: { some: ['infra/**'] } }] } })]),
      ['path-not-binding', 'a'],
    ],
    [
      'a rule about a part of what may be read whole',
      document([rule('a', 'deny', { actions: ['fs.read'], when: { path: { some: ['secret/**'] } } })]),
      ['recursive-reads', 'a'],
    ],
    [
      'a rule about a part of what may be changed whole',
      document([rule('a', 'deny', { actions: ['fs.write'], when: { path: { some: ['secret/**'] } } })]),
      ['recursive-writes', 'a'],
    ],
    [
      'a rule behind a wall',
      document([rule('wall', 'deny', { actions: ['*'] }), rule('a', 'allow', { when: { tool: ['write'] } })]),
      ['unreachable', 'a'],
    ],
    [
      'a repository that allows',
      document([rule('a', 'allow')], { metadata: { id: 'repo', revision: 1, scope: { tier: 'project' } } }),
      ['allow-never-matches', 'a'],
    ],
    [
      'an allow for what is never parsed',
      document([rule('a', 'allow', { when: { command: { has: ['unparsed'] } } })]),
      ['allow-never-matches', 'a'],
    ],
    [
      'an empty time window',
      document([rule('a', 'allow', { when: { time: { tz: 'UTC', from: '09:00', to: '09:00' } } })]),
      ['allow-never-matches', 'a'],
    ],
    [
      'a misspelt capability',
      document([rule('a', 'deny', { actions: ['fs.wirte'] })]),
      ['unknown-capability', 'a'],
    ],
    ['twins', document([rule('a', 'allow'), rule('b', 'confirm')]), ['overlap', 'b']],
    [
      'a rule of the past',
      document([rule('a', 'deny', { expiresAt: '2026-01-01T00:00:00Z' })]),
      ['expired', 'a'],
    ],
    [
      'a document of the past',
      document([rule('a', 'deny')], {
        metadata: { id: 'x', revision: 1, scope: { tier: 'org' }, expiresAt: '2026-01-01T00:00:00Z' },
      }),
      ['expired', null],
    ],
    ['no tests', document([rule('a', 'deny')], { tests: [] }), ['untested', null]],
    ['an unused set', document([rule('a', 'deny')], { sets: { hosts: ['a'] } }), ['unused-set', null]],
  ])('finds %s', (_, subject, finding) => {
    expect(codes(subject)).toContainEqual(finding);
  });

  it('suggests the name that was meant, and knows those that tools declare', () => {
    const messages = lintPolicies([document([rule('a', 'deny', { actions: ['fs.wirte', 'acme.deploy'] })])], {
      clock,
      knownCapabilities: ['acme.deploy'],
    }).filter(({ code }) => code === 'unknown-capability');
    expect(messages.map(({ message }) => message)).toEqual([
      'no tool declares fs.wirte: did you mean fs.write?',
    ]);
  });
});

describe('comparing two policies', () => {
  const before = document([rule('a', 'deny'), rule('b', 'allow')], {
    locks: { yolo: 'on', trustTtlHours: 168 },
  });

  it('finds nothing between equals, whatever their key order', () => {
    const turned = JSON.parse(JSON.stringify(before)) as PolicyDocument;
    expect(diffPolicies(before, { ...turned, rules: [...turned.rules].reverse() })).toEqual([]);
  });

  it('says what each change does to calls', () => {
    const after = document([rule('a', 'confirm'), rule('c', 'deny')], {
      locks: { yolo: 'off', trustTtlHours: 24 },
      tests: before.tests,
    });
    expect(diffPolicies(before, after).map(({ field, kind, direction }) => [field, kind, direction])).toEqual(
      [
        ['/locks/trustTtlHours', 'changed', 'tightens'],
        ['/locks/yolo', 'changed', 'tightens'],
        ['/rules/a/effect', 'changed', 'loosens'],
        ['/rules/b', 'removed', 'tightens'],
        ['/rules/c', 'added', 'tightens'],
      ],
    );
  });

  it('compares with nothing at all', () => {
    const strict = profileDocument('strict');
    expect(diffPolicies(null, strict).filter(({ field }) => field.startsWith('/rules'))).toHaveLength(2);
    expect(diffPolicies(strict, null).every(({ kind }) => kind === 'removed')).toBe(true);
  });
});
