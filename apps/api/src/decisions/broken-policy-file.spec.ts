import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const HEAD = 'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\n';
const META = 'metadata: { id: server, revision: 1, scope: { tier: user } }\n';
const ALLOW = `  - { id: allow-bash, effect: allow, actions: [shell.arbitrary], when: { command: { argv: [[echo]] } }, because: a test }\n`;

/** How a file that is there can be of no use. */
const BROKEN: readonly (readonly [string, (file: string) => void])[] = [
  ['is empty', (file) => writeFileSync(file, '')],
  ['is no YAML', (file) => writeFileSync(file, '{ "')],
  ['is binary', (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0, 1, 2, 0x80]))],
  ['is cut off', (file) => writeFileSync(file, `${HEAD}${META}rules:\n  - { id: allow-bash, effect: al`)],
  [
    'is of another version',
    (file) =>
      writeFileSync(
        file,
        `apiVersion: policy.wrongstack/v9\nkind: CapabilityPolicy\n${META}rules:\n${ALLOW}`,
      ),
  ],
  ['has a word that nobody knows', (file) => writeFileSync(file, `${HEAD}${META}rulez:\n${ALLOW}`)],
  [
    'has an effect that nobody knows',
    (file) => writeFileSync(file, `${HEAD}${META}rules:\n${ALLOW.replace('allow,', 'permit,')}`),
  ],
  ['has the same rule twice', (file) => writeFileSync(file, `${HEAD}${META}rules:\n${ALLOW}${ALLOW}`)],
  ['is a folder', (file) => mkdirSync(file)],
  ['is a link to nothing', (file) => symlinkSync('/nowhere/policy.yaml', file)],
  ['is a link to itself', (file) => symlinkSync(file, file)],
  ['is a link through a file', (file) => symlinkSync('/etc/hostname/policy.yaml', file)],
  ['never ends', (file) => symlinkSync('/dev/zero', file)],
  ['is huge', (file) => (writeFileSync(file, ''), truncateSync(file, 64 * 1024 * 1024))],
];

describe('a policy file that is there and of no use', () => {
  let api: TestApi;
  let file: string;
  let dana: string;
  beforeAll(async () => {
    api = await TestApi.start();
    file = path.join(api.folder, 'home', '.wrongstack', 'policy.yaml');
    dana = await api.person('dana', ['developer']);
  });
  afterAll(() => api.stop());
  const become = (make: (file: string) => void) => {
    rmSync(file, { recursive: true, force: true });
    make(file);
  };
  const decide = async (tool: string, input: object) => {
    const { status, body } = await api.request('POST', '/v1/decisions', {
      token: dana,
      body: { tool, input },
    });
    return { status, verdict: body['verdict'], because: String(body['because']) };
  };
  const echo = { command: 'echo hello' };

  it.each(BROKEN)('denies whatever is asked, and says that it %s', async (_what, make) => {
    become(make);
    for (const [tool, input] of [
      ['bash', echo],
      ['read', { path: 'a' }],
    ] as const) {
      const { status, verdict, because } = await decide(tool, input);
      expect([tool, status, verdict]).toEqual([tool, 200, 'deny']);
      expect(because).toContain('policy.yaml');
    }
    const { body } = await api.request('POST', '/v1/tools/bash/calls', {
      token: dana,
      body: { input: echo },
    });
    expect(body['status']).not.toBe('ok');
    expect(JSON.stringify(body)).not.toContain('"hello');
  });

  it('is another thing than one that is not there: then the defaults hold', async () => {
    become(() => undefined);
    expect((await decide('read', { path: 'a' })).verdict).toBe('allow');
    expect((await decide('bash', echo)).verdict).toBe('deny');
  });

  it('counts again as soon as it is put right', async () => {
    become((at) => writeFileSync(at, '{'));
    expect((await decide('bash', echo)).verdict).toBe('deny');
    become((at) => writeFileSync(at, `${HEAD}${META}rules:\n${ALLOW}`));
    expect((await decide('bash', echo)).verdict).toBe('allow');
  });
});
