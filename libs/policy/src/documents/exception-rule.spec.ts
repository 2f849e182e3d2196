import { addRule } from './add-rule.js';
import { exceptionRule } from './exception-rule.js';
import { parsePolicyDocument } from './parse-policy-document.js';

const TEXT = `# Production is not for everybody.
apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - id: no-prod-kube # ask the platform team
    effect: deny
    actions: ["*"]
    when: { command: { argv: [kubectl, drain] } }
    because: through the pipeline
`;
const TERMS = { id: 'exception-1', user: 'dana', until: '2027-01-01T00:00:00.000Z', because: 'incident 12' };
const TARGET = { id: 'no-prod-kube', actions: ['*'] };
const command = (...argv: (string | null)[]) => ({
  tool: 'bash',
  paths: [],
  hosts: [],
  command: { unparsed: false, commands: [{ argv, traits: [], wrapper: 'none', inner: [] }] },
});

describe('an exception', () => {
  it('is for the very words of the call that was denied', () => {
    expect(exceptionRule(TARGET, command('kubectl', 'drain', 'n*1'), TERMS)).toEqual({
      id: 'exception-1',
      effect: 'allow',
      actions: ['*'],
      who: { user: ['dana'] },
      when: { tool: ['bash'], command: { argv: ['kubectl', 'drain', 'n\\*1'] } },
      overrides: ['no-prod-kube'],
      expiresAt: TERMS.until,
      because: 'incident 12',
    });
  });

  it('is for the very paths where there is no command', () => {
    const facts = { tool: 'write', command: null, paths: [{ real: '/p/in[fra]/a.tf' }], hosts: [] };
    expect(exceptionRule(TARGET, facts, TERMS)).toMatchObject({
      when: { tool: ['write'], path: { every: ['/p/in\\[fra\\]/a.tf'] } },
    });
  });

  it.each([
    ['nothing', null],
    ['what is not static', command('kubectl', null)],
    ['unknown paths', { tool: 'x', command: null, paths: 'unknown', hosts: [] }],
    ['no tool', { command: null }],
    [
      'an unparsed command',
      { tool: 'bash', paths: [], hosts: [], command: { unparsed: true, commands: [] } },
    ],
    ['a number for words', { tool: 'bash', command: { unparsed: false, commands: [{ argv: [7] }] } }],
  ])('is not made of %s', (_name, facts) => {
    expect(typeof exceptionRule(TARGET, facts, TERMS)).toBe('string');
  });

  it('is added behind what was written, and the document stays one', async () => {
    const rule = exceptionRule(TARGET, command('kubectl', 'drain', 'n1'), TERMS);
    if (typeof rule === 'string') throw new Error(rule);
    const text = await addRule(TEXT, rule);
    expect(text).toContain('# Production is not for everybody.');
    expect(text).toContain('# ask the platform team');
    const { rules } = await parsePolicyDocument(text, { file: 'payments.yaml' });
    expect(rules.map(({ id }) => id)).toEqual(['no-prod-kube', 'exception-1']);
    const json = JSON.stringify(
      JSON.parse(JSON.stringify({ ...(await parsePolicyDocument(TEXT, { file: 'a' })) })),
    );
    expect((await parsePolicyDocument(await addRule(json, rule), { file: 'b' })).rules).toHaveLength(2);
  });
});
