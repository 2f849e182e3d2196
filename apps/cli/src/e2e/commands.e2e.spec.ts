import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { ended, Sandbox } from './cli-process.spec-support.js';

// Each test starts the built binary several times.
jest.setTimeout(60_000);

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await Sandbox.create({ 'a.txt': 'hello\n' });
});

afterEach(() => sandbox.remove());

describe('wstack', () => {
  it('prints its version and a screen of help, on stdout', async () => {
    expect(await sandbox.run(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const help = await sandbox.run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout.split('\n').length).toBeLessThan(24);
    for (const command of ['run', 'policy', 'trust', 'session', 'tool', 'auth', 'config', 'diag']) {
      const inner = await sandbox.run([command, '--help']);
      expect(inner).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('helps in each of the ways that people ask', async () => {
    const [long, word, inner] = await Promise.all([
      sandbox.run(['run', '--help']),
      sandbox.run(['help', 'run']),
      sandbox.run(['help']),
    ]);
    expect(word).toEqual(long);
    expect(inner).toMatchObject({ code: 0, stdout: (await sandbox.run(['--help'])).stdout });
    expect(Math.max(...inner.stdout.split('\n').map((row) => row.length))).toBeLessThanOrEqual(80);
  });

  it('says after wrong usage where the help is', async () => {
    const missing = await sandbox.run(['policy', 'test']);
    expect(missing).toEqual({
      code: 2,
      stdout: '',
      stderr: "wstack: missing required argument 'file'\n  wstack policy test --help\n",
    });
    const near = await sandbox.run(['run', '--outptu', 'json', 'x']);
    expect(near.stderr).toBe(
      "wstack: unknown option '--outptu'\n  did you mean --output? wstack run --help lists all\n",
    );
  });

  it('goes quietly when its reader has seen enough', async () => {
    const child = sandbox.start(['tool', 'list', '--json']);
    child.stdout?.destroy();
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('leaves nothing behind for asking', async () => {
    await sandbox.run(['--help']);
    await expect(stat(path.join(sandbox.home, '.wrongstack'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('wstack tool', () => {
  it('lists tools with what they may do', async () => {
    const tools = JSON.parse((await sandbox.run(['tool', 'list', '--json'])).stdout);
    expect(tools).toContainEqual(
      expect.objectContaining({
        name: 'bash',
        owner: 'core',
        permission: 'confirm',
        capabilities: ['shell.arbitrary'],
      }),
    );
  });

  it('shows one whole', async () => {
    const { stdout } = await sandbox.run(['tool', 'show', 'read', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'read',
      permission: 'auto',
      inputSchema: { type: 'object' },
    });
  });

  it('calls one, governed: it runs, is denied, or runs under YOLO', async () => {
    expect((await sandbox.run(['tool', 'call', 'read', '{"path":"a.txt"}'])).stdout).toContain('hello');
    const denied = await sandbox.run(['tool', 'call', 'bash', '{"command":"echo hi"}']);
    expect(denied.code).toBe(3);
    const yolo = await sandbox.run([
      'tool',
      'call',
      'bash',
      '{"command":"echo hi; exit 9"}',
      '--yolo',
      '--json',
    ]);
    expect(JSON.parse(yolo.stdout)).toMatchObject({ status: 'ok', isError: false });
    expect(yolo.stdout).toContain('9');
    expect(yolo.code).toBe(0);
  });

  it('takes its input from stdin', async () => {
    const { stdout } = await sandbox.run(['tool', 'call', 'read', '-'], { input: '{"path":"a.txt"}' });
    expect(stdout).toContain('hello');
  });

  it('records every decision, and diag finds the chain unbroken', async () => {
    await sandbox.run(['tool', 'call', 'bash', '{"command":"true"}']);
    const diag = JSON.parse((await sandbox.run(['diag', '--json'])).stdout);
    expect(diag).toContainEqual(
      expect.objectContaining({
        subject: 'audit',
        level: 'ok',
        text: expect.stringMatching(/^[1-9]\d* records?,/),
      }),
    );
  });
});

describe('wstack policy', () => {
  const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: shop, revision: 1, scope: { tier: user } }
rules:
  - id: no-drain
    effect: deny
    actions: [shell.arbitrary]
    when: { command: { argv: [kubectl, [delete, drain]] } }
    because: Cluster changes go through the pipeline
    instead: open a deploy request
tests:
  - name: wrapped
    call: { tool: bash, input: { command: "cd x && sudo /usr/bin/kubectl -n prod drain n1" } }
    expect: { verdict: deny, rule: no-drain }
`;

  it('explains a verdict, with rule, reason and what to do instead', async () => {
    const file = await sandbox.write('shop.yaml', POLICY);
    const call = '{"command":"sudo kubectl drain n1"}';
    const { code, stdout } = await sandbox.run(['policy', 'explain', 'bash', call, '--policy', file]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^DENY · rule no-drain/);
    expect(stdout).toContain('Cluster changes go through the pipeline');
    expect(stdout).toContain('open a deploy request');
    expect(stdout).toContain('kubectl drain n1');
  });

  it('explains what a call would meet, the person’s own settings included', async () => {
    await sandbox.configure({
      tools: { bash: { permission: 'deny' }, read: { permission: 'confirm' } },
    });
    const bash = await sandbox.run(['policy', 'explain', 'bash', '{"command":"ls"}']);
    expect(bash.stdout).toMatch(/^DENY · tool bash/);
    const read = await sandbox.run(['policy', 'explain', 'read', '{"path":"a.txt"}']);
    expect(read.stdout).toMatch(/^CONFIRM · tool read/);
    const tools = await sandbox.run(['tool', 'list']);
    expect(tools.stdout).toMatch(/^bash +core +deny /m);
  });

  it('runs the tests of a document, and fails where one fails', async () => {
    const good = await sandbox.write('good.yaml', POLICY);
    expect(await sandbox.run(['policy', 'test', good])).toMatchObject({ code: 0 });
    const bad = await sandbox.write('bad.yaml', POLICY.replace('verdict: deny', 'verdict: allow'));
    const failed = await sandbox.run(['policy', 'test', bad]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('0 passed, 1 failed');
  });

  it('warns of a path rule that does not bind programs', async () => {
    const file = await sandbox.write(
      'p.yaml',
      POLICY.replace('{ command: { argv: [kubectl, [delete, drain]] } }', '{ path: { some: ["infra/**"] } }'),
    );
    const findings = JSON.parse((await sandbox.run(['policy', 'lint', file, '--json'])).stdout);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'path-not-binding', rule: 'no-drain' }));
  });

  it('tells what one revision changes', async () => {
    const before = await sandbox.write('1.yaml', POLICY);
    const after = await sandbox.write(
      '2.yaml',
      POLICY.replace('effect: deny', 'effect: confirm').replace('revision: 1', 'revision: 2'),
    );
    const changes = JSON.parse((await sandbox.run(['policy', 'diff', before, after, '--json'])).stdout);
    expect(changes).toContainEqual(
      expect.objectContaining({ field: '/rules/no-drain/effect', direction: 'loosens' }),
    );
  });
});

describe('wstack auth', () => {
  it('stores, lists and removes without ever printing the value', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnop';
    const set = await sandbox.run(['auth', 'set', 'anthropic'], { input: `${secret}\n` });
    const list = await sandbox.run(['auth', 'list']);
    expect(list.stdout).toContain('ANTHROPIC_API_KEY');
    const removed = await sandbox.run(['auth', 'remove', 'anthropic']);
    for (const { code, stdout, stderr } of [set, list, removed]) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(secret);
    }
    const sealed = path.join(sandbox.home, '.wrongstack/vault/secrets');
    expect((await stat(sealed)).mode & 0o777).toBe(0o600);
    await expect(readFile(sealed, 'latin1')).resolves.not.toContain(secret);
  });
});

describe('wstack config', () => {
  it('sets a key in the person’s own file and reads it back', async () => {
    expect((await sandbox.run(['config', 'set', 'provider.model', 'claude-x'])).code).toBe(0);
    expect((await sandbox.run(['config', 'get', 'provider.model'])).stdout).toBe('claude-x\n');
    expect(JSON.parse((await sandbox.run(['config', 'get', 'agent.maxIterations'])).stdout)).toBeGreaterThan(
      0,
    );
  });
});

describe('wstack session', () => {
  it('lists, shows and exports what a run left', async () => {
    const script = await sandbox.write(
      '~/s.json',
      '{"turns":[{"calls":[{"tool":"read","input":{"path":"a.txt"}}]},{"text":"It says hello."}]}',
    );
    await sandbox.configure({ provider: { type: 'scripted', model: 'm', script } });
    await sandbox.run(['run', 'what does a.txt say?']);
    const [session] = JSON.parse((await sandbox.run(['session', 'list', '--json'])).stdout);
    expect(session).toMatchObject({
      preview: expect.stringContaining('what does a.txt say?'),
      calls: 1,
      denials: 0,
    });
    const shown = await sandbox.run(['session', 'show', session.id]);
    expect(shown.stdout).toContain('you: what does a.txt say?');
    expect(shown.stdout).toContain('It says hello.');
    const exported = await sandbox.run(['session', 'export', session.id, '--format', 'markdown']);
    expect(exported.stdout).toContain('## Agent\n\nIt says hello.');
  });
});

describe('wstack completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await sandbox.run(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('explain');
    expect(stdout).toContain('stream-json');
  });

  it('completes commands, flags and the values that are known, in bash', async () => {
    const script = await sandbox.write('wstack.bash', (await sandbox.run(['completion', 'bash'])).stdout);
    const complete = (...words: string[]): string[] => {
      const program = `source "$0"; COMP_WORDS=(wstack "$@"); COMP_CWORD=$#; _wstack; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', program, script, ...words], { encoding: 'utf8' })
        .trim()
        .split(' ');
    };
    expect(complete('po')).toEqual(['policy']);
    expect(complete('policy', 'e')).toEqual(['explain']);
    expect(complete('run', '--output', 's')).toEqual(['stream-json']);
    expect(complete('run', '--output', 'json', '--tol')).toEqual(['--tolerate-denials']);
    expect(complete('completion', 'z')).toEqual(['zsh']);
  });
});

describe('wstack demo', () => {
  it('works without key, network or server, and explains its decisions', async () => {
    const { code, stdout, stderr } = await sandbox.run(['demo']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      'fail 2',
      'pass 2',
      'rm -rf build',
      'asks: bash · DESTRUCTIVE',
      'no-publish',
      'DENY',
      'ALLOW',
    ]) {
      expect(stdout).toContain(part);
    }
    // It ends with the scratch folder: there is nothing to go on with.
    expect(stdout).not.toContain('session resume');
    await expect(stat(path.join(sandbox.home, '.wrongstack'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
