import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { trustFileOf } from '@wrongstack/policy';
import { ended, type Ended, Sandbox } from './cli-process.spec-support.js';

jest.setTimeout(120_000);

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.create({ 'a.txt': 'hello\n' });
  await mkdir(path.join(sandbox.home, '.wrongstack'));
});
afterEach(() => sandbox.remove());

const READ = ['tool', 'call', 'read', '{"path":"a.txt"}'];
const at = (place: string): string =>
  place.startsWith('~/') ? path.join(sandbox.home, place.slice(2)) : path.join(sandbox.project, place);
const link = async (place: string, target = 'nowhere'): Promise<void> => {
  await mkdir(path.dirname(at(place)), { recursive: true });
  await symlink(target, at(place));
};

function expectOneLine({ stderr }: Ended, ...parts: readonly (string | RegExp)[]): void {
  expect(stderr.trim().split('\n')).toHaveLength(1);
  for (const part of parts) expect(stderr).toMatch(part);
}

describe('what restricts and cannot be read is never taken for absent', () => {
  it.each([
    ['~/.wrongstack/config.json', 'nowhere'],
    ['~/.wrongstack/config.json', 'config.json'],
    ['.wrongstack/config.json', 'nowhere'],
    ['.wrongstack', 'nowhere'],
    ['.wrongstack', '.wrongstack'],
    ['~/.wrongstack/control', 'nowhere'],
    ['~/.wrongstack/control/enrolment.json', 'nowhere'],
  ])('%s -> %s ends the command and is named', async (place, target) => {
    await link(place, target);
    for (const args of [READ, ['run', 'hi'], ['tool', 'list']]) {
      const ended = await sandbox.run(args);
      expect([ended.code, ended.stdout]).toEqual([1, '']);
      expectOneLine(ended, path.basename(place), / · /);
    }
  });

  it('nor is a .wrongstack that leads nowhere above the working folder', async () => {
    await rm(path.join(sandbox.project, '.git'), { recursive: true });
    await link('.wrongstack');
    await mkdir(at('src'));
    const ended = await sandbox.run(READ, { cwd: at('src') });
    expect(ended.code).toBe(1);
    expectOneLine(ended, '.wrongstack');
  });

  it('denies every call where a folder of policies leads nowhere', async () => {
    await link('~/.wrongstack/policy.d');
    const { code, stdout } = await sandbox.run([...READ, '--yolo', '--json']);
    expect(code).toBe(3);
    expect(stdout).toContain('policy.d');
    expect((await sandbox.run(['policy', 'status'])).code).toBe(3);
    expect((await sandbox.run(['diag'])).code).toBe(1);
  });

  it.each(['projects', 'projects/<hash>'])(
    'lets YOLO lower nothing where %s leads nowhere',
    async (place) => {
      const file = trustFileOf(at('~/.wrongstack'), sandbox.project);
      const folder = place === 'projects' ? path.dirname(path.dirname(file)) : path.dirname(file);
      await mkdir(path.dirname(folder), { recursive: true });
      await symlink('nowhere', folder);
      const call = ['tool', 'call', 'bash', '{"command":"echo hi"}', '--yolo'];
      expect((await sandbox.run(call)).code).toBe(3);
      expect(await sandbox.run(['trust', 'list'])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('trust.json: cannot be read (ENOENT)'),
      });
      await rm(folder);
      expect((await sandbox.run(call)).code).toBe(0);
    },
  );

  it('names a folder of plugins that leads nowhere', async () => {
    await link('~/.wrongstack/plugins');
    const { stdout } = await sandbox.run(['plugin', 'list']);
    expect(stdout).toMatch(/plugins .*cannot be read \(ENOENT\)/);
  });

  it('names a folder of sessions that leads nowhere', async () => {
    await link('~/.wrongstack/sessions');
    const ended = await sandbox.run(['session', 'list']);
    expect(ended.code).toBe(1);
    expectOneLine(ended, 'sessions');
  });
});

describe('a restriction that is written and does not hold', () => {
  it.each([
    [
      '~/.wrongstack/config.json',
      '{"tools":{"read":{"permission":"deny"},"read":{}}}',
      'tools.read stands twice',
    ],
    ['~/.wrongstack/config.json', '{"tools":{"Read":{"permission":"deny"}}}', '"Read" cannot be a name here'],
    [
      '.wrongstack/config.json',
      '{"tools":{"read":{"permission":"deny"},"read":{}}}',
      'tools.read stands twice',
    ],
    ['.wrongstack/config.json', '{"tools":{"read":{"permission":"Deny"}}}', 'tools.read.permission'],
    ['.wrongstack/config.json', '{"tools":{"read":"deny"}}', 'tools.read must be'],
    ['.wrongstack/config.json', '{"tools":null}', 'tools must be'],
    ['.wrongstack/config.json', 'null', 'must be a JSON object'],
    ['.wrongstack/config.json', '{"Tools":{"read":{"permission":"deny"}}}', 'did you mean tools'],
  ])('in %s, %s ends the command', async (place, text, named) => {
    await sandbox.write(place, text);
    const ended = await sandbox.run(READ);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expectOneLine(ended, at(place), named);
  });

  it('in a trust file, a denial that stands before its opposite counts: no grant is in force', async () => {
    const file = trustFileOf(at('~/.wrongstack'), sandbox.project);
    await mkdir(path.dirname(file), { recursive: true });
    const text = `{"version":1,"project":${JSON.stringify(sandbox.project)},"entries":[1],"entries":[]}`;
    await writeFile(file, text, { mode: 0o600 });
    const { code, stdout } = await sandbox.run(['trust', 'list']);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('trust.json:1: the key entries stands twice'),
    ]);
  });

  it('is said on stderr where it is only ignored, and results stay alone on stdout', async () => {
    await sandbox.configure({ tools: { raed: { permission: 'deny' } } });
    await sandbox.write('.wrongstack/config.json', '{"hooks":{"a":1},"agent":{"maxIterations":1000}}');
    await sandbox.write('.wrongstack/policy-team.yaml', '');
    await sandbox.write('~/.wrongstack/policy.d/team/x.yaml', '');
    for (const args of [READ, ['run', 'hi'], ['run', 'hi', '--output', 'json']]) {
      const { stderr, stdout } = await sandbox.run(args);
      expect(stderr).toContain('hooks.a, agent.maxIterations');
      expect(stderr).toContain('tools.raed restricts nothing: no tool is named so · did you mean read?');
      expect(stderr).toContain('policy-team.yaml');
      expect(stderr).toContain('policy.d/team');
      expect(stdout).not.toContain('restricts nothing');
    }
    for (const command of [
      ['policy', 'lint'],
      ['policy', 'status'],
      ['policy', 'status', '--json'],
    ])
      expect((await sandbox.run(command)).stdout).toContain('policy.d/team');
    expect((await sandbox.run(['diag'])).stdout).toContain('is not read as a policy');
  });

  it('is said on stderr by what serves another program, whose protocol has stdout for itself', async () => {
    await sandbox.configure({ provider: { type: 'scripted', script: 's.json' } });
    await sandbox.write('.wrongstack/policy-team.yaml', '');
    const acp = sandbox.start(['acp']);
    const messages = [
      { id: 1, method: 'initialize', params: { clientCapabilities: {}, protocolVersion: 1 } },
      { id: 2, method: 'session/new', params: { cwd: sandbox.project, mcpServers: [] } },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    // A session is asked for once the editor was greeted, and the editor leaves once it has an answer.
    acp.stdin?.write(messages.shift());
    acp.stdout?.on('data', () => {
      const next = messages.shift();
      if (next === undefined) acp.stdin?.end();
      else acp.stdin?.write(next);
    });
    for (const served of [await ended(acp), await sandbox.run(['mcp', 'serve'])]) {
      expect(served.stderr).toContain('policy-team.yaml');
      expect(served.stdout).not.toContain('policy-team.yaml');
    }
  });

  it('holds whatever the case of the policy’s name', async () => {
    const text = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: mine, revision: 1, scope: { tier: user } }
rules: [{ id: r, effect: deny, actions: [fs.read], because: no }]
`;
    await sandbox.write('~/.wrongstack/policy.d/x.YAML', text);
    expect((await sandbox.run(READ)).code).toBe(3);
  });

  it('is the person’s own where the project is the home folder', async () => {
    await sandbox.configure({ log: { level: 'debug' } });
    const { code, stderr } = await sandbox.run(['config', 'get'], { cwd: sandbox.home });
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('exit 2 is a command line that cannot be done, and 1 what failed', () => {
  it.each([
    ['config', 'get', 'nothing.here'],
    ['config', 'set', 'agent.maxIterations', 'abc'],
    ['config', 'set', 'agent.maxIteration', '5'],
    ['config', 'set', 'tools.Bash.permission', 'deny'],
    ['config', 'set', 'tools.bash.permission', 'auto'],
    ['config', 'set', '__proto__.a', '1'],
    ['policy', 'explain', 'nope'],
    ['policy', 'explain', 'read', '[]'],
    ['policy', 'explain', 'read', '{'],
    ['policy', 'lint', 'no-such.yaml'],
    ['policy', 'lint', '/dev/zero'],
    ['policy', 'test', 'no-such.yaml'],
    ['policy', 'diff', 'no-such.yaml', 'neither.yaml'],
    ['tool', 'show', 'nope'],
    ['tool', 'call', 'nope'],
    ['tool', 'call', 'read', '[]'],
    ['tool', 'call', 'read', '{"path":1}'],
    ['tool', 'call', 'read', '{'],
    ['trust', 'revoke', 'nope'],
    ['trust', 'revoke'],
    ['session', 'show', 'nope'],
    ['session', 'resume', 'nope'],
    ['session', 'export', 'nope'],
    ['run', 'hi', '--resume', 'nope'],
    ['run', 'hi', '--resume', 'nope', '--output', 'json'],
    ['run', 'hi', '--max-iterations', 'many'],
    ['run', ''],
    ['task', 'show', 'nope'],
    ['task', 'output', 'nope'],
    ['task', 'kill', 'nope'],
    ['plugin', 'show', 'nope'],
    ['plugin', 'check', 'no-such-folder'],
    ['plugin', 'trust', 'nope'],
    ['mcp', 'login', 'nope'],
    ['mcp', 'pin', 'nope'],
    ['auth', 'remove', 'nope'],
    ['tool', 'list', '--cwd', 'no-such-folder'],
  ])('wstack %s %s %s %s %s', async (...args) => {
    const ended = await sandbox.run(args.filter((arg) => typeof arg === 'string'));
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    const result = args.includes('json') ? (JSON.parse(ended.stdout) as unknown) : null;
    if (result !== null) expect(result).toMatchObject({ exitCode: 2 });
  });

  it('a file that was broken before the change is no fault of the command line', async () => {
    await sandbox.configure({ agent: { maxIteration: 3 } });
    const ended = await sandbox.run(['config', 'set', 'agent.maxIterations', '5']);
    expect(ended.code).toBe(1);
    expectOneLine(ended, 'maxIteration');
  });

  it('nor is what a script that is a device says', async () => {
    await sandbox.configure({ provider: { type: 'scripted', model: 'm', script: '/dev/zero' } });
    const ended = await sandbox.run(['run', 'hi']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('/dev/zero: is no regular file');
  });
});
