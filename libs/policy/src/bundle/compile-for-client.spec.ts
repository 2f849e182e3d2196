import { checkPolicyDocument } from '../documents/parse-policy-document.js';
import type { PolicyDocument, PolicyRule } from '../documents/policy-document.js';
import { compileForClient } from './compile-for-client.js';
import { POLICY_V1, vocabularyFor, type PolicyVocabulary } from './policy-vocabulary.js';

const rule = (parts: Partial<PolicyRule> & { readonly id: string }): PolicyRule => ({
  effect: 'confirm',
  actions: ['fs.write'],
  because: 'said so',
  ...parts,
});
const documentOf = (rules: readonly PolicyRule[], parts: Partial<PolicyDocument> = {}): PolicyDocument => ({
  apiVersion: 'policy.wrongstack/v1',
  kind: 'CapabilityPolicy',
  metadata: { id: 'payments', revision: 3, scope: { tier: 'team', ref: 'payments' } },
  rules,
  ...parts,
});
/** A later version may say things that today's types do not know. */
const later = (when: object): PolicyRule['when'] => when;
const effectsOf = (documents: readonly PolicyDocument[]) =>
  documents.flatMap(({ metadata, rules }) =>
    rules.map(({ id, effect }) => `${metadata.scope.tier} ${effect} ${id}`),
  );

describe('a document for a client of an earlier version', () => {
  it('is what it was, without its tests, where the client can express all of it', () => {
    const document = documentOf([rule({ id: 'a', when: { path: { some: ['infra/**'] } } })]);
    expect(compileForClient({ ...document, tests: [] })).toEqual([document]);
  });

  it.each([
    ['a condition', { when: later({ moon: 'full' }) }],
    ['a condition within any', { when: later({ any: [{ tool: ['a'] }, { moon: 'full' }] }) }],
    ['a condition within not', { when: later({ not: { moon: 'full' } }) }],
    ['a member of a condition', { when: later({ path: { most: ['a'] } }) }],
    ['a trait', { when: later({ command: { has: ['redirect', 'telepathy'] } }) }],
    ['an obligation', { effect: 'oblige', obligations: [{ teleport: true }] }],
    ['an effect', { effect: 'ponder' }],
    ['a key of the rule', { unless: { tool: ['x'] } }],
  ])('gets a denial for a rule with %s that it does not know', (_what, parts) => {
    // Casts: rules of a later version.
    const [document] = compileForClient(documentOf([rule({ id: 'a', ...(parts as Partial<PolicyRule>) })]));
    expect(effectsOf([document!])).toEqual(['team deny a']);
    expect(document?.rules[0]?.when).toBeUndefined();
  });

  it('does not get an allow, and nothing for a rule that is only observed', () => {
    const when = later({ moon: 'full' });
    const rules = [rule({ id: 'a', effect: 'allow', when }), rule({ id: 'b', mode: 'shadow', when })];
    expect(effectsOf(compileForClient(documentOf(rules)))).toEqual([]);
    const shadowed = compileForClient(documentOf([rule({ id: 'c', when })], { mode: 'shadow' }));
    expect(effectsOf(shadowed)).toEqual([]);
  });

  it('keeps for whom a rule is, and denies everybody where that cannot be said', () => {
    const when = later({ moon: 'full' });
    const known = rule({ id: 'a', when, who: { team: ['web'] } });
    const unknown = rule({ id: 'b', who: { ...{ floor: [3] }, team: ['web'] } });
    const [document] = compileForClient(documentOf([known, unknown]));
    expect(document?.rules.map(({ who }) => who)).toEqual([{ team: ['web'] }, undefined]);
  });

  it('denies everything for a lock that the client does not know', () => {
    // A cast: a lock of a later version.
    const locks = { yolo: 'off', gravity: 'low' } as PolicyDocument['locks'];
    const [document] = compileForClient(documentOf([], { locks }));
    expect(document?.locks).toEqual({ yolo: 'off' });
    expect(document?.rules).toMatchObject([{ effect: 'deny', actions: ['*'] }]);
  });

  it('puts the denials of an orgDefault document, which may not deny, into one of tier org', async () => {
    const metadata = { id: 'defaults', revision: 1, scope: { tier: 'orgDefault' } } as const;
    const compiled = compileForClient(
      documentOf([rule({ id: 'a', when: later({ moon: 1 }) }), rule({ id: 'b' })], { metadata }),
    );
    expect(effectsOf(compiled)).toEqual(['orgDefault confirm b', 'org deny a']);
    for (const document of compiled) await checkPolicyDocument(document, { file: 'compiled' });
  });

  it('compiles into what a client of an even smaller vocabulary can read', async () => {
    const old: PolicyVocabulary = { ...POLICY_V1, when: POLICY_V1.when.filter((name) => name !== 'mcp') };
    const compiled = compileForClient(documentOf([rule({ id: 'a', when: { mcp: { pinned: false } } })]), old);
    expect(effectsOf(compiled)).toEqual(['team deny a']);
    for (const document of compiled) await checkPolicyDocument(document, { file: 'compiled' });
  });

  it('finds the best version that a client names', () => {
    expect(vocabularyFor('policy.wrongstack/v9, policy.wrongstack/v1')).toBe(POLICY_V1);
    expect(vocabularyFor(undefined)).toBe(POLICY_V1);
    expect(vocabularyFor('policy.wrongstack/v9')).toBeNull();
  });
});
