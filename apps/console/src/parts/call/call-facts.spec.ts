import { readFacts } from './call-facts.js';

describe('the facts of a call, as a page reads them', () => {
  it('say what is touched, and mark what a person must not overlook', () => {
    const facts = readFacts({
      callRisk: 'destructive',
      riskReasons: ['rm -rf'],
      cwd: '/p',
      effective: [{ name: 'shell.arbitrary' }],
      command: {
        commands: [{ text: 'rm -rf ../x', traits: ['pipe'], through: ['sudo'], riskReason: 'rm -rf' }],
      },
      paths: [
        { real: '/x', access: 'write', inside: false, recursive: true, exists: true },
        { claimed: null, real: null, access: 'read', inside: true, credential: 'ssh key' },
      ],
      hosts: [{ scheme: 'https', host: null, port: null }],
      actor: { user: { name: 'dana', authenticated: false }, subagent: 'helper' },
    });
    expect(facts).toMatchObject({
      risk: 'destructive',
      capabilities: ['shell.arbitrary'],
      commands: [{ text: 'rm -rf ../x', notes: ['through sudo', 'pipe', 'rm -rf'] }],
      paths: [
        { path: '/x', access: 'write', notes: ['OUTSIDE PROJECT', 'and all below it'] },
        { path: 'a path that is not known before it runs', notes: ['cannot be resolved', 'ssh key'] },
      ],
      hosts: ['https://a host that is not known before it runs'],
      actor: [
        ['user', 'dana (says so)'],
        ['subagent', 'helper'],
      ],
    });
  });

  it('name what could not be determined', () => {
    const unknown = readFacts({
      paths: 'unknown',
      hosts: 'unknown',
      command: { unparsed: true, commands: [] },
    });
    expect(unknown.unknown).toEqual(['paths', 'hosts', 'what the command does']);
  });

  it.each([
    null,
    'x',
    7,
    [],
    { paths: 'x', command: [], hosts: [null, 3], actor: 'x', effective: [{}], riskReasons: [{}] },
  ])('of another version of a client, %j, break nothing', (value) => {
    expect(() => readFacts(value)).not.toThrow();
  });
});
