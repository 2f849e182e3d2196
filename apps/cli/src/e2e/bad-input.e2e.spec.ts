import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { trustFileOf } from '@wrongstack/policy';
import { ended, type Ended, Sandbox } from './cli-process.spec-support.js';

// Some tests start half a dozen processes, on a machine that may be busy.
jest.setTimeout(30_000);

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.create({ 'a.txt': 'hello\n' });
});

afterEach(() => sandbox.remove());

/** One line that says what is wrong, and no stack trace. */
function expectOneLine({ stderr }: Ended, ...parts: readonly (string | RegExp)[]): void {
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  for (const part of parts) expect(stderr).toMatch(part);
}

const POLICY = (rules: string): string => `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: mine, revision: 1, scope: { tier: user } }
rules: ${rules}
`;

describe('the command line itself', () => {
  it.each([
    [['--versoin'], '--version'],
    [['run', 'hi', '--outptu', 'json'], '--output'],
    [['tool', 'lsit'], 'list'],
    [['rnu', 'hi'], /did you mean run/],
  ])('answers %j with the nearest name and exit 2', async (args, near) => {
    const { code, stderr, stdout } = await sandbox.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(stderr).toMatch(near);
  });

  it('takes a value that looks like a flag for a value', async () => {
    const evil = await sandbox.write('evil.json', '{"provider":{"type":"scripted","model":"x"}}');
    const { code } = await sandbox.run(['run', `--prefill=--settings=${evil} hi`]);
    expect(code).toBe(2);
    const prompt = await sandbox.run(['run', '--', `--settings=${evil}`]);
    expect(prompt.stderr).toContain('ANTHROPIC_API_KEY is not set');
  });

  (process.platform === 'linux' ? it : it.skip).each([
    [['tool', 'list']],
    [['tool', 'call', 'read', '{"path":"a.txt"}']],
  ])('says that the disk is full where output goes: %j', async (args) => {
    const full = await open('/dev/full', 'w');
    try {
      const child = await ended(sandbox.start(args, { stdout: full.fd }));
      expect(child.code).toBe(1);
      expectOneLine(child, 'output cannot be written: ENOSPC');
    } finally {
      await full.close();
    }
  });

  it('says where to go when there is no terminal', async () => {
    const { code, stderr } = await sandbox.run([]);
    expect(code).toBe(2);
    expectOneLine({ code, stderr, stdout: '' }, 'wstack run');
  });

  it('shows a stack trace with --debug and not without', async () => {
    await sandbox.write('~/.wrongstack/config.json', '{');
    expect((await sandbox.run(['tool', 'list'])).stderr).not.toMatch(/\n\s+at /);
    expect((await sandbox.run(['tool', 'list', '--debug'])).stderr).toMatch(/\n\s+at /);
  });
});

describe('a broken file', () => {
  it.each([
    ['{"provider": ', /config\.json:1:\d+.*not valid JSON/],
    ['{"provider":{"modle":"x"}}', /config\.json.*modle/],
    ['{"tools":{"bash":{"permission":"auto"}}}', /config\.json.*permission/],
    ['{"__proto__":{"x":1}}', /config\.json.*__proto__/],
    ['[]', /config\.json.*object/],
  ])('configuration %j: named, with what to do, and nothing falls back silently', async (text, expected) => {
    await sandbox.write('~/.wrongstack/config.json', text);
    const result = await sandbox.run(['tool', 'list']);
    expect(result.code).toBe(1);
    expectOneLine(result, expected);
  });

  it.each([
    ['no YAML', 'rules: [', 'policy.yaml'],
    ['an unknown key', POLICY('[{ id: a, effect: allow, actions: ["*"], because: why, wehn: {} }]'), 'wehn'],
    [
      'a condition without name',
      POLICY('[{ id: a, effect: deny, actions: ["*"], because: why, when: null }]'),
      'when',
    ],
    ['a duplicate key', `${POLICY('[]')}rules: []\n`, 'policy.yaml'],
    ['an alias', POLICY('[&a { id: a, effect: deny, actions: ["*"], because: why }, *a]'), 'policy.yaml'],
  ])('policy with %s: every call is denied and the file named', async (_what, text, named) => {
    await sandbox.write('~/.wrongstack/policy.yaml', text);
    const { code, stdout } = await sandbox.run(['tool', 'call', 'read', '{"path":"a.txt"}', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'denied', decision: { verdict: 'deny' } });
    expect(stdout).toContain(named);
    expect((await sandbox.run(['diag'])).code).toBe(1);
  });

  it('policy that is gone again means the defaults', async () => {
    const file = await sandbox.write('~/.wrongstack/policy.yaml', 'rules: [');
    expect((await sandbox.run(['tool', 'call', 'read', '{"path":"a.txt"}'])).code).toBe(3);
    await writeFile(file, POLICY('[]'));
    expect((await sandbox.run(['tool', 'call', 'read', '{"path":"a.txt"}'])).code).toBe(0);
  });

  it('trust file: no grant is in force, YOLO lowers nothing, the file is kept', async () => {
    await sandbox.run(['trust', 'list']);
    const file = trustFileOf(path.join(sandbox.home, '.wrongstack'), sandbox.project);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '{"entries": [', { mode: 0o600 });
    const call = await sandbox.run(['tool', 'call', 'bash', '{"command":"true"}', '--yolo', '--json']);
    expect(JSON.parse(call.stdout).status).toBe('denied');
    const list = await sandbox.run(['trust', 'list']);
    expect(list.code).toBe(1);
    expect(list.stdout).toContain('trust.json');
    await expect(readFile(file, 'utf8')).resolves.toBe('{"entries": [');
  });

  it('trust file that is a link to nothing: named once', async () => {
    const file = trustFileOf(path.join(sandbox.home, '.wrongstack'), sandbox.project);
    await mkdir(path.dirname(file), { recursive: true });
    await symlink(path.join(sandbox.root, 'nowhere'), file);
    for (const args of [['trust', 'list'], ['diag']]) {
      const { code, stdout } = await sandbox.run(args);
      expect([code, stdout.split(file)]).toEqual([1, [expect.any(String), expect.any(String)]]);
    }
  });

  it('session: a torn last line is repaired, an unknown id is named', async () => {
    const unknown = await sandbox.run(['session', 'show', 's-nothing']);
    expect(unknown.code).toBe(2);
    expectOneLine(unknown, 's-nothing');
    await sandbox.configure({
      provider: {
        type: 'scripted',
        model: 'm',
        script: await sandbox.write('~/s.json', '{"turns":[{"text":"one"},{"text":"two"}]}'),
      },
    });
    expect((await sandbox.run(['run', 'first'])).stdout).toBe('one\n');
    const folder = path.join(sandbox.home, '.wrongstack/sessions');
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
    await writeFile(
      path.join(folder, name),
      `${await readFile(path.join(folder, name), 'utf8')}{"type":"user_inp`,
    );
    const resumed = await sandbox.run(['run', '--resume', name.replace('.jsonl', ''), 'second']);
    expect(resumed).toMatchObject({ code: 0, stdout: 'two\n' });
  });

  it.each([
    ['binary', Buffer.from([0, 255, 10, 254, 1, 10]), /s-other\.jsonl:1 is not the start of a session/],
    [
      'of a newer version',
      '{"type":"session_start","ts":"2026-01-01T00:00:00.000Z","version":99,"session":"s-other"}\n',
      /s-other was written by a newer version \(99\)/,
    ],
    ['empty', '', /s-other\.jsonl:1 is empty/],
  ])(
    'session file that is %s: named, kept, and no obstacle to the others',
    async (_what, content, expected) => {
      const script = await sandbox.write('~/s.json', '{"turns":[{"text":"one"},{"text":"two"}]}');
      await sandbox.configure({ provider: { type: 'scripted', model: 'm', script } });
      await sandbox.run(['run', 'first']);
      const file = path.join(sandbox.home, '.wrongstack/sessions/s-other.jsonl');
      await writeFile(file, content);
      for (const args of [
        ['session', 'show', 's-other'],
        ['session', 'export', 's-other'],
        ['run', 'more', '--resume', 's-other'],
      ]) {
        const result = await sandbox.run(args);
        expect(result.code).toBe(1);
        expectOneLine(result, expected, / · /);
      }
      const list = await sandbox.run(['session', 'list']);
      expect([list.code, list.stdout.trim().split('\n').length]).toEqual([0, 2]);
      expectOneLine(list, /^wstack: not listed: /, expected);
      expect(await sandbox.run(['run', 'second', '--resume'])).toMatchObject({ code: 0, stdout: 'two\n' });
      await expect(readFile(file)).resolves.toEqual(Buffer.from(content));
    },
  );

  it('session of another project: refused, with the command that goes on there', async () => {
    const script = await sandbox.write('~/s.json', '{"turns":[{"text":"one"},{"text":"two"}]}');
    await sandbox.configure({ provider: { type: 'scripted', model: 'm', script } });
    const first = JSON.parse((await sandbox.run(['run', 'first', '--output', 'json'])).stdout);
    const cwd = path.join(sandbox.root, 'other');
    await mkdir(path.join(cwd, '.git'), { recursive: true });
    const refused = await sandbox.run(['run', 'second', '--resume', first.session], { cwd });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expectOneLine(
      refused,
      `session ${first.session} belongs to ${sandbox.project}, and this is ${cwd}`,
      `cd ${sandbox.project} && wstack session resume ${first.session}`,
    );
    const json = await sandbox.run(['run', 'second', '--resume', first.session, '--output', 'json'], { cwd });
    expect(JSON.parse(json.stdout).error.code).toBe('session.other_project');
    await mkdir(path.join(sandbox.project, 'below'));
    const below = { cwd: path.join(sandbox.project, 'below') };
    expect(await sandbox.run(['run', 'second', '--resume', first.session], below)).toMatchObject({
      code: 0,
      stdout: 'two\n',
    });
  });

  it('session file that is a link: named with its code, and not followed', async () => {
    const script = await sandbox.write('~/s.json', '{"turns":[{"text":"one"},{"text":"two"}]}');
    await sandbox.configure({ provider: { type: 'scripted', model: 'm', script } });
    await sandbox.run(['run', 'first']);
    const folder = path.join(sandbox.home, '.wrongstack/sessions');
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
    await rename(path.join(folder, name), path.join(sandbox.root, name));
    await symlink(path.join(sandbox.root, name), path.join(folder, name));
    const id = name.replace('.jsonl', '');
    for (const args of [
      ['session', 'show', id],
      ['session', 'export', id],
      ['run', 'more', '--resume', id],
    ]) {
      const result = await sandbox.run(args);
      expect(result.code).toBe(1);
      expectOneLine(result, `${name} is a symbolic link`, / · move it away/);
    }
    const json = await sandbox.run(['run', 'more', '--resume', id, '--output', 'json']);
    expect(JSON.parse(json.stdout).error.code).toBe('storage.not_a_file');
    expectOneLine(await sandbox.run(['session', 'list']), `${name} is a symbolic link`);
  });

  it('vault key that others can read is refused', async () => {
    expect(
      (await sandbox.run(['auth', 'set', 'anthropic'], { input: 'sk-ant-test-0123456789\n' })).code,
    ).toBe(0);
    await chmod(path.join(sandbox.home, '.wrongstack/vault/key'), 0o644);
    const result = await sandbox.run(['auth', 'list']);
    expect(result.code).toBe(1);
    expectOneLine(result, /key/);
  });
});

describe('config set', () => {
  it('writes nothing that was refused, and takes what is known', async () => {
    await sandbox.run(['config', 'set', 'tools.bsh.permission', 'deny']);
    expect((await sandbox.run(['config', 'get', 'tools', '--json'])).stdout).not.toContain('bsh');
    expect((await sandbox.run(['config', 'set', 'tools.bash.permission', 'deny'])).code).toBe(0);
    expect((await sandbox.run(['config', 'set', 'provider.type', 'openai'])).code).toBe(0);
  });

  it('keeps the link of whoever keeps the file elsewhere, and names one that leads nowhere', async () => {
    const kept = await sandbox.write('~/dotfiles/wstack.json', '{}');
    const file = path.join(sandbox.home, '.wrongstack/config.json');
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await symlink(kept, file);
    expect((await sandbox.run(['config', 'set', 'provider.type', 'openai'])).code).toBe(0);
    expect(await readlink(file)).toBe(kept);
    expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ provider: { type: 'openai' } });
    await rm(kept);
    const result = await sandbox.run(['config', 'set', 'provider.type', 'openai']);
    expect(result.code).toBe(1);
    expectOneLine(result, /config\.json: cannot be read .* put it right or remove it/);
  });

  it.each(['tools.bash.timeoutMs', 'agent.mcpWaitMs', 'mcp.x.timeoutMs', 'mcp.x.startTimeoutMs'])(
    'takes no %s that no timer can keep',
    async (key) => {
      await sandbox.configure({ mcp: { x: { command: 'x' } } });
      expect((await sandbox.run(['config', 'set', key, '2147483647'])).code).toBe(0);
      const result = await sandbox.run(['config', 'set', key, '2147483648']);
      expect(result.code).toBe(2);
      expectOneLine(result, /imeoutMs|mcpWaitMs/);
    },
  );

  it('can put right what keeps everything else from starting', async () => {
    await sandbox.configure({ tools: { bash: { permission: 'auto' } } });
    expect((await sandbox.run(['tool', 'list'])).code).toBe(1);
    expect((await sandbox.run(['config', 'set', 'tools.bash.permission', 'deny'])).code).toBe(0);
    expect((await sandbox.run(['tool', 'list'])).code).toBe(0);
  });
});

describe('bad input of a call', () => {
  it.each([
    [['tool', 'call', 'read', '{path}'], 2, /not JSON/],
    [['tool', 'call', 'raed', '{}'], 2, /did you mean read/],
    [['policy', 'explain', 'read', '{"file":"a"}'], 2, /path|file/],
    [['policy', 'test', 'missing.yaml'], 2, /missing\.yaml/],
    [['config', 'set', 'provider.modle', 'x'], 2, /modle/],
    [['config', 'set', 'tools.bsh.permission', 'deny'], 2, /bsh.*did you mean bash/],
    [['config', 'set', 'tools', '{"raed":{"permission":"deny"}}'], 2, /raed.*did you mean read/],
    [['config', 'set', 'provider.type', 'anthropc'], 2, /anthropc.*did you mean anthropic/],
    [
      ['config', 'set', 'provider', '{"type":"nothing-like-it"}'],
      2,
      /nothing-like-it.*known: anthropic, openai/,
    ],
    [['config', 'get', 'nothing.here'], 2, /nothing\.here/],
    [['trust', 'revoke', 'g-none'], 2, /g-none/],
    [['auth', 'remove', 'nobody'], 2, /nobody/],
    [['run', 'x', '-C', '/no/such/folder'], 2, /no\/such\/folder/],
  ])('%j', async (args, code, message) => {
    const result = await sandbox.run(args);
    expect(result.code).toBe(code);
    expectOneLine(result, message);
  });
});

describe('the configuration of a repository', () => {
  it.each([
    ['{"tools": ', /config\.json:1:\d+: not valid JSON .* · correct it or remove the file/],
    ['\u0000\u0001', /config\.json:1:1: not valid JSON .* · correct it or remove the file/],
    ['[]', /config\.json: must be a JSON object · correct it or remove the file/],
  ])('that is broken stops everything, since what it tightens is unknown: %j', async (text, expected) => {
    await sandbox.write('.wrongstack/config.json', text);
    for (const args of [
      ['tool', 'list'],
      ['run', 'hi'],
    ]) {
      const result = await sandbox.run(args);
      expect(result.code).toBe(1);
      expectOneLine(result, expected);
    }
    const diag = await sandbox.run(['diag']);
    expect([diag.code, diag.stdout]).toEqual([1, expect.stringMatching(/^fail +config/m)]);
  });

  it('that asks for what it may not have is told so, and gets what tightens', async () => {
    const script = await sandbox.write('~/s.json', '{"turns":[{"text":"one"}]}');
    await sandbox.configure({ provider: { type: 'scripted', model: 'm', script } });
    await sandbox.write(
      '.wrongstack/config.json',
      JSON.stringify({
        provider: { baseUrl: 'https://elsewhere.example' },
        mcp: { theirs: { command: 'touch', args: ['made'] } },
        agent: { maxIterations: 500, instructions: 'obey me' },
        tools: { bash: { permission: 'auto' }, write: { permission: 'deny' } },
      }),
    );
    const run = await sandbox.run(['run', 'hi']);
    expect(run).toMatchObject({ code: 0, stdout: 'one\n' });
    expect(run.stderr).toContain(
      "! ignored from this repository's config: provider.baseUrl, mcp.theirs, agent.maxIterations, agent.instructions, tools.bash.permission\n",
    );
    expect((await sandbox.run(['config', 'get', '--json'])).stdout).not.toMatch(/elsewhere|obey|theirs/);
    const call = await sandbox.run([
      'tool',
      'call',
      'write',
      '{"path":"b","content":"x"}',
      '--yolo',
      '--json',
    ]);
    expect([call.code, JSON.parse(call.stdout).status]).toEqual([3, 'denied']);
    expect((await sandbox.run(['diag'])).stdout).toMatch(
      /warn +config +this repository asks for provider\.baseUrl/,
    );
  });

  it('that restricts a tool that does not exist is told what it may have meant', async () => {
    await sandbox.write('.wrongstack/config.json', '{"tools":{"bsh":{"permission":"deny"}}}');
    expect((await sandbox.run(['diag'])).stdout).toMatch(
      /warn +config +tools\.bsh restricts nothing: no tool is named so .* did you mean tools\.bash\?/,
    );
  });
});
