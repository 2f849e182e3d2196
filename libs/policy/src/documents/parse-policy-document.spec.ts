import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '@wrongstack/contracts';
import { validatorSource } from './generate-policy-validator.mjs';
import {
  checkPolicyDocument,
  parsePolicyDocument,
  policyProblems,
  policySchema,
} from './parse-policy-document.js';
import { PROFILES, profileDocument } from './profile-documents.js';

const HEAD = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 42, scope: { tier: team, ref: payments } }
`;
const RULE = `rules:
  - id: no-prod
    effect: deny
    actions: [shell.arbitrary]
    when: { command: { argv: [kubectl, [delete, drain]] } }
    because: Production goes through the pipeline
`;

const parse = (text: string, file = 'policy.yaml') => parsePolicyDocument(text, { file });
const refusal = (text: string, file?: string) =>
  parse(text, file).then(
    () => 'accepted',
    (error: unknown) => `${codeOf(error)}: ${messageOf(error)}`,
  );

describe('a policy document', () => {
  it('is YAML 1.2, where off and no are words', async () => {
    const document = await parse(`${HEAD}locks: { yolo: off, trustTtlHours: 12 }\n${RULE}`);
    expect(document.locks).toEqual({ yolo: 'off', trustTtlHours: 12 });
    expect(document.rules[0]?.when?.command?.argv).toEqual(['kubectl', ['delete', 'drain']]);
    expect(Object.isFrozen(document.rules[0])).toBe(true);
  });

  it('may be JSON', async () => {
    const text = JSON.stringify(await parse(HEAD + RULE));
    expect(await parse(text, 'policy.json')).toEqual(await parse(HEAD + RULE));
    expect(await refusal(`${text.slice(0, -1)},}`, 'p.json')).toMatch(
      /^policy\.invalid: p\.json:1 is no JSON/,
    );
  });

  it.each(PROFILES)('is what the profile %s is made of', async (profile) => {
    const document = profileDocument(profile);
    expect(await checkPolicyDocument(document, { file: profile })).toEqual(document);
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['only a comment', '# soon\n', 'is empty'],
    ['a list', '- a\n', 'must be object'],
    ['an unknown key', `${HEAD}${RULE}    efect: deny\n`, 'policy.yaml:10 /rules/0/efect is an unknown key'],
    ['a duplicate key', `${HEAD}${RULE}kind: CapabilityPolicy\n`, 'policy.yaml:10 Map keys must be unique'],
    ['an alias', `${HEAD}sets: { a: &x [b], c: *x }\n${RULE}`, 'policy.yaml:4 anchor &x'],
    ['a tag', `${HEAD}sets: { a: !mine [b] }\n${RULE}`, 'policy.yaml:4'],
    ['a binary tag', `${HEAD}sets: { a: [!!binary aGk=] }\n${RULE}`, 'policy.yaml:4'],
    ['a merge key', `${HEAD}sets: { <<: { a: [b] } }\n${RULE}`, '/sets/<<'],
    ['two documents', `${HEAD}${RULE}---\n${HEAD}${RULE}`, 'holds several documents'],
    ['broken text', `${HEAD}rules: [\n`, 'policy.yaml:'],
    ['__proto__', `${HEAD}sets: { __proto__: [a] }\n${RULE}`, 'key __proto__ is never allowed'],
    ['constructor', `${HEAD}sets: { constructor: [a] }\n${RULE}`, 'key constructor is never allowed'],
    [
      'a misspelt effect',
      HEAD + RULE.replace('deny\n', 'alow\n'),
      '/rules/0/effect has a value that is not known',
    ],
    ['a rule without a reason', HEAD + RULE.replace(/ {4}because.*\n/, ''), '/rules/0 lacks because'],
    [
      'an approval by nobody',
      HEAD + RULE.replace('effect: deny', 'effect: approve'),
      '/rules/0 lacks approvers',
    ],
    [
      'a typo in a condition',
      HEAD + RULE.replace('argv', 'arg'),
      '/rules/0/when/command/arg is an unknown key',
    ],
    ['an unknown set', HEAD + RULE.replace('kubectl,', '"set:tools",'), 'names the unknown set tools'],
    ['a repeated id', `${HEAD}${RULE}${RULE.replace('rules:\n', '')}`, 'repeats the rule id no-prod'],
    ['a date that is none', `${HEAD}${RULE}    expiresAt: "2026-02-30T00:00:00Z"\n`, '/rules/0/expiresAt'],
    [
      'a time zone that is none',
      `${HEAD}${RULE.replace('when: {', 'when: { time: { tz: Mars/Base }, ')}`,
      'names the unknown time zone Mars/Base',
    ],
    [
      'an hour that is none',
      `${HEAD}${RULE.replace('when: {', 'when: { time: { tz: UTC, from: "29:00" }, ')}`,
      '/rules/0/when/time/from is no time of day',
    ],
    [
      'a deny among the defaults',
      HEAD.replace('tier: team', 'tier: orgDefault') + RULE,
      'deny is not allowed at tier orgDefault',
    ],
    [
      'an acknowledgement of one’s own',
      `${HEAD.replace('tier: team', 'tier: user')}${RULE.replace('deny\n', 'allow\n')}    acknowledgeDestructive: true\n`,
      'acknowledgeDestructive is not allowed at tier user',
    ],
    [
      'an acknowledgement of everything',
      `${HEAD}rules: [{ id: a, effect: allow, actions: ["*"], because: all of it, acknowledgeDestructive: true }]\n`,
      '/rules/0 lacks when',
    ],
    [
      'an exception without an end',
      `${HEAD}${RULE}  - { id: but, effect: allow, actions: [shell.arbitrary], overrides: [no-prod], because: on call }\n`,
      'needs effect allow, who.user and expiresAt',
    ],
    [
      'an override of nothing',
      `${HEAD.replace('tier: team, ref: payments', 'tier: org')}${RULE}    overrides: [nobody]\n`,
      'names the unknown rule nobody',
    ],
  ])('is refused for %s', async (_, text, message) => {
    expect(await refusal(text)).toContain(message);
  });

  it('is refused when it is too large or too deep, without harm', async () => {
    expect(await refusal(`# ${'x'.repeat(1024 * 1024)}`)).toContain('larger than 1 MiB');
    expect(await refusal(`a: ${'['.repeat(20_000)}`)).toMatch(/^policy\.invalid: policy\.yaml/);
  });

  it('may say anything in a project, where it can only tighten', async () => {
    const text = `${HEAD.replace('tier: team, ref: payments', 'tier: project')}${RULE.replace('deny\n', 'allow\n')}    acknowledgeDestructive: true\n`;
    expect((await parse(text)).metadata.scope.tier).toBe('project');
  });

  it('says all that is wrong with it to who writes it, each at its line and column', async () => {
    const rules = `rules:
  - { id: a, effect: deny, actions: [fs.read], because: one }
  - { id: a, effect: deny, actions: [fs.read], because: two, obligations: [{ sandbox: read-only }] }
`;
    const problems = async (text: string) =>
      (await policyProblems(text, { file: 'draft' })).map(({ place, pointer, what }) => [
        `${place?.line ?? '?'}:${place?.column ?? '?'}`,
        pointer,
        what,
      ]);
    expect(await problems(HEAD + rules)).toEqual([
      ['6:11', '/rules/1/id', 'repeats the rule id a'],
      ['6:75', '/rules/1/obligations', 'belong to effect oblige, not to deny'],
    ]);
    expect(await problems(`${HEAD}${RULE}    when: 3\n`)).toMatchObject([['10:5', '', expect.any(String)]]);
    expect(await problems(`${HEAD}${RULE}surplus: 1\n`)).toEqual([
      ['10:10', '/surplus', 'is an unknown key'],
    ]);
    expect(await problems(HEAD + RULE)).toEqual([]);
  });

  it('says what the schema refuses all at once, and of each value one thing', async () => {
    const text = `${HEAD.replace('42', '0')}mode: on
rules:
  - { id: A, effect: alow, actions: [net, 3], becuase: it is so }
  - { id: b, effect: approve, actions: [fs.read], because: two people }
  - id: c
    effect: oblige
    actions: [fs.read]
    because: read only
    who: { subagent: 3 }
    when: { command: { argv: [kubectl, {}], hass: [pipe] }, riskTier: [safe, risky] }
    obligations: [{ sandbox: none }, { redact: [] }]
  - { id: d, effect: allow, actions: ['*'], because: all of it, acknowledgeDestructive: true, when: { cwd: [/x] } }
tests: [{ name: one, call: { tool: bash } }, { name: two, call: {}, expect: { verdict: maybe } }]
`;
    const problems = await policyProblems(text, { file: 'draft' });
    expect(problems.map(({ place, pointer, what }) => `${place?.line ?? '?'} ${pointer} ${what}`)).toEqual([
      '3 /metadata/revision must be >= 1',
      '4 /mode has a value that is not known',
      '6 /rules/0 lacks because',
      '6 /rules/0/id must match pattern "^[a-z][a-z0-9._-]{0,79}$"',
      '6 /rules/0/effect has a value that is not known',
      '6 /rules/0/actions/0 has a value that is not known',
      '6 /rules/0/actions/1 has a value that is not known',
      '6 /rules/0/becuase is an unknown key',
      '7 /rules/1 lacks approvers',
      '12 /rules/2/who/subagent must be boolean',
      '13 /rules/2/when/command/argv/1 must be string',
      '13 /rules/2/when/command/hass is an unknown key',
      '13 /rules/2/when/riskTier/1 has a value that is not known',
      '14 /rules/2/obligations/0/sandbox has a value that is not known',
      '14 /rules/2/obligations/1/redact must NOT have fewer than 1 items',
      '15 /rules/3/when lacks command',
      '16 /tests/0 lacks expect',
      '16 /tests/1/call lacks tool',
      '16 /tests/1/expect/verdict has a value that is not known',
    ]);
  });

  it('says no more than somebody mends at once, however much is wrong', async () => {
    const text = `${HEAD}rules: [${'1,'.repeat(100_000)}]\n`;
    const before = Date.now();
    expect(await policyProblems(text, { file: 'draft' })).toHaveLength(100);
    // A minute, where the errors are joined by copying them.
    expect(Date.now() - before).toBeLessThan(15_000);
  });

  it('has a schema that editors can be given', async () => {
    const file: unknown = JSON.parse(readFileSync(join(__dirname, 'policy-schema.json'), 'utf8'));
    expect(await policySchema()).toEqual(file);
  });

  it('is checked by a validator that is in step with the schema', () => {
    const here = (name: string) => readFileSync(join(__dirname, name), 'utf8');
    expect(here('policy-validator.ts')).toBe(validatorSource(JSON.parse(here('policy-schema.json'))));
  });
});
