import { rulesIn, withField, withoutRule, withRule } from './rules-text.js';

const TEXT = `# who may deploy
apiVersion: policy.wrongstack/v1
rules:
  # production only
  - id: no-prod
    effect: deny
    actions: [shell.arbitrary]
    when: { command: { argv: [kubectl, drain] }, interactive: false }
    because: goes through the pipeline # ask platform
  - id: two
    effect: approve
    actions: [fs.write]
    when: { path: { some: ["infra/**"] } }
    approvers: { count: 2, from: [oncall] }
    because: two people
`;
const ruleAt = (text: string, index: number) => {
  const form = rulesIn(text);
  return 'rules' in form ? form.rules[index] : form;
};

describe('rules as a form', () => {
  it('are what the document says, and name what only the text shows', () => {
    expect(ruleAt(TEXT, 0)).toEqual({
      ...{ id: 'no-prod', effect: 'deny', actions: ['shell.arbitrary'], argv: ['kubectl', 'drain'] },
      ...{ because: 'goes through the pipeline', instead: '', paths: [], hosts: [], shadow: false },
      more: ['when.interactive'],
    });
    expect(ruleAt(TEXT, 1)).toMatchObject({ paths: ['infra/**'], more: ['approvers'] });
  });

  it('change one field and nothing else, comments included', () => {
    const text = withField(TEXT, 0, 'effect', 'confirm');
    expect(ruleAt(text, 0)).toMatchObject({ effect: 'confirm', argv: ['kubectl', 'drain'] });
    for (const kept of ['# who may deploy', '# production only', '# ask platform', 'interactive: false'])
      expect(text).toContain(kept);
    expect(text.split('\n')).toHaveLength(TEXT.split('\n').length);
  });

  it('make a condition where there was none, and take an empty one away', () => {
    const hosts = withField(TEXT, 1, 'hosts', ['*.example.com']);
    expect(ruleAt(hosts, 1)).toMatchObject({ hosts: ['*.example.com'], paths: ['infra/**'] });
    const none = withField(withField(hosts, 1, 'hosts', []), 1, 'paths', []);
    expect(ruleAt(none, 1)).toMatchObject({ hosts: [], paths: [] });
    expect(none).not.toContain('infra');
    expect(none.match(/when:/g)).toHaveLength(1);
  });

  it('come and go', () => {
    const more = withRule(TEXT, 'third');
    expect(ruleAt(more, 2)).toMatchObject({ id: 'third', effect: 'confirm' });
    expect(ruleAt(withoutRule(more, 0), 0)).toMatchObject({ id: 'two' });
    const shadow = withField(TEXT, 0, 'shadow', true);
    expect(ruleAt(shadow, 0)).toMatchObject({ shadow: true });
    expect(ruleAt(withField(shadow, 0, 'shadow', false), 0)).toMatchObject({ shadow: false });
  });

  it.each(['when:', 'when: {}', 'when: later', 'when: [a]'])(
    'are shown while a condition is being written: %s',
    (when) => {
      expect(rulesIn(`rules:\n  - id: x\n    effect: allow\n    ${when}\n`)).toMatchObject({
        rules: [{ id: 'x', effect: 'allow', argv: [], paths: [], hosts: [] }],
      });
    },
  );

  it('are not shown of a text that is none, and such a text is never changed', () => {
    expect(rulesIn('rules: [')).toMatchObject({ broken: expect.any(String) });
    expect(rulesIn('a: 1')).toEqual({ broken: 'the document has no list of rules' });
    expect(withRule('rules: [', 'x')).toBe('rules: [');
  });
});
