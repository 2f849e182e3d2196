import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CallOutcome } from '@wrongstack/kernel';
import type { Host } from '../app/host.js';
import {
  allowCommand,
  HazardHost,
  type HazardOptions,
  isRunning,
  textOf,
} from './hazard-host.spec-support.js';

let at: HazardHost;

beforeEach(async () => {
  at = await HazardHost.create();
});

afterEach(() => at.remove());

const inProject = (name: string): string => path.join(at.project, name);

/** One call; a question is answered with no. */
async function call(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  options: HazardOptions = { yolo: true },
): Promise<CallOutcome> {
  return at.call(await at.boot(options), tool, input);
}

const bash = (command: string, options?: HazardOptions) => call('bash', { command }, options);
const verdict = ({ decision }: CallOutcome) => decision?.demanded;

describe('paths, under YOLO', () => {
  it('know a neighbour that shares the name’s beginning', async () => {
    await mkdir(`${at.project}-evil`);
    await writeFile(`${at.project}-evil/s.txt`, 'secret');
    for (const file of ['{{WS}}-evil/s.txt', '../ws-evil/s.txt', 'src/../../ws-evil/s.txt']) {
      const outcome = await call('read', { path: file });
      expect(verdict(outcome)).toBe('confirm');
      expect(JSON.stringify(outcome)).not.toContain('secret');
    }
  });

  it.each([
    ['a linked folder', 'link/new.xml', 'deny'],
    ['a linked folder below another', 'src/in/new.xml', 'deny'],
    ['a dangling link', 'out.txt', 'deny'],
    ['a dangling chain', 'chain.txt', 'deny'],
    ['a link and its parent', 'link/../new.txt', 'deny'],
    ['links in a circle', 'a', 'deny'],
    ['a file as a folder', 'README.md/x', 'deny'],
    ['an absolute path outside', '{{OUT}}/new.txt', 'confirm'],
  ])('are written nowhere outside through %s', async (_what, file, expected) => {
    await symlink(path.join(at.outside, 'not-there-yet'), inProject('out.txt'));
    await symlink('out.txt', inProject('chain.txt'));
    await symlink('../link', inProject('src/in'));
    await symlink('b', inProject('a'));
    await symlink('a', inProject('b'));
    const before = at.snapshot();
    for (const [tool, input] of [
      ['write', { path: file, content: 'x' }],
      ['edit', { path: file, old_string: '', new_string: 'x' }],
    ] as const) {
      expect([tool, verdict(await call(tool, input))]).toEqual([tool, expected]);
    }
    expect(at.snapshot()).toEqual(before);
  });

  it.each([
    '.git/hooks/pre-commit',
    '.git/HOOKS/pre-push',
    '.git/config',
    'h/pre-commit',
    'packages/a/.git/config',
    '.gitattributes',
    '.husky/_/pre-commit',
    '.vscode/tasks.json',
    '.envrc',
    '.npmrc',
    '.github/workflows/ci.yml',
    'src/.ENVRC',
  ])('that other programs obey are asked about, whatever allows writing: %s', async (file) => {
    await symlink('.git/hooks', inProject('h'));
    const before = at.snapshot();
    const rules = [{ effect: 'allow' as const, actions: ['fs.write'], when: { path: { every: ['**'] } } }];
    expect(verdict(await call('write', { path: file, content: 'x' }, { yolo: true, rules }))).toBe('confirm');
    expect(at.snapshot()).toEqual(before);
  });

  it('keep a link that is edited, and change where it leads', async () => {
    await writeFile(inProject('real.txt'), 'one\r\ntwo\nthree\r\n');
    await symlink('real.txt', inProject('l.txt'));
    const host = await at.boot({ yolo: true });
    await at.call(host, 'read', { path: 'l.txt' });
    const edit = await at.call(host, 'edit', { path: 'l.txt', old_string: 'two', new_string: '2' });
    expect([verdict(edit), edit.status]).toEqual(['allow', 'ok']);
    expect(lstatSync(inProject('l.txt')).isSymbolicLink()).toBe(true);
    await expect(readFile(inProject('real.txt'), 'utf8')).resolves.toBe('one\r\n2\nthree\r\n');
  });

  it('hold what they held when a write cannot be encoded', async () => {
    const host = await at.boot({ yolo: true });
    await at.call(host, 'read', { path: 'a.txt' });
    const before = at.snapshot();
    const { result } = await at.call(host, 'write', { path: 'a.txt', content: `${'x'.repeat(64)}\ud800` });
    expect(result.isError).toBe(true);
    expect(at.snapshot()).toEqual(before);
  });
});

describe('searching', () => {
  it('takes a pattern that looks like an option for a pattern', async () => {
    await writeFile(inProject('a.txt'), '--pre=./x.sh\n-f x\n');
    await writeFile(inProject('x.sh'), `#!/bin/sh\ntouch ${at.outside}/CANARY\n`, { mode: 0o755 });
    for (const pattern of ['--pre=./x.sh', '-f x']) {
      const outcome = await call('grep', { pattern, path: '.' }, {});
      expect([outcome.status, textOf(outcome)]).toEqual(['ok', expect.stringContaining('a.txt')]);
    }
    await mkdir(inProject('--hidden'));
    await writeFile(inProject('--hidden/f'), 'needle');
    expect(textOf(await call('grep', { pattern: 'needle', path: '--hidden' }, {}))).toContain('needle');
    expect(textOf(await call('glob', { pattern: '--hidden/*' }, {}))).toContain('f');
    expect(existsSync(path.join(at.outside, 'CANARY'))).toBe(false);
  });

  it('leaves no search behind when it has enough', async () => {
    await mkdir(inProject('many'));
    for (let index = 0; index < 400; index++)
      await writeFile(inProject(`many/needle-61-${index}`), 'needle-61');
    expect(textOf(await call('glob', { pattern: '**/needle-61-*', limit: 10 }, {}))).toContain('needle-61-');
    expect(textOf(await call('grep', { pattern: 'needle-61' }, {}))).toContain('needle-61-');
    expect(isRunning('needle-61')).toBe(false);
    expect(isRunning('**/needle-61-*')).toBe(false);
  });
});

describe('output', () => {
  it('says of bytes that are no text what they are', async () => {
    const outcome = await bash("head -c 4096 /dev/zero; printf '\\377\\376\\000\\001'");
    expect(textOf(outcome)).toMatch(/binary/i);
    expect(textOf(outcome)).not.toContain('\0');
    expect(JSON.parse(JSON.stringify(outcome.result))).toEqual(outcome.result);
  });

  it('is well-formed wherever it is cut', async () => {
    for (const shift of [0, 1, 2, 3]) {
      const outcome = await bash(`printf '${'x'.repeat(shift)}'; for i in {1..9000}; do printf '🙂🙂'; done`);
      expect(Buffer.from(textOf(outcome)).toString()).toBe(textOf(outcome));
      expect(textOf(outcome)).not.toContain('\ufffd');
      expect(
        outcome.truncated || outcome.spill !== null || /omitted|cut|left out/.test(textOf(outcome)),
      ).toBe(true);
    }
  });

  it('keeps what only looks like a secret', async () => {
    const lines = [
      '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      '123e4567-e89b-42d3-a456-426614174000',
      'tokens: 512',
      'max_tokens=4096',
      '"integrity": "sha512-9dJ7l9o0QqV0m6o2n7mQwYk3O5j4sVw6x8bq1Zr2uT3yXcVbNmAsDfGhJkLqWeRtYuIoPzXcVbNm1234567890=="',
      'password_min_length: 12',
    ];
    const outcome = await bash(`cat <<'E'\n${lines.join('\n')}\nE`);
    expect(textOf(outcome).trim().split('\n')).toEqual(lines);
  });

  it('says that a file is empty, and how long it is beyond its end', async () => {
    await writeFile(inProject('e.txt'), '');
    expect(textOf(await call('read', { path: 'e.txt' }))).toMatch(/empty/);
    expect(textOf(await call('read', { path: 'README.md', offset: 900 }))).toMatch(/2 lines/);
  });
});

describe('what a person approved', () => {
  const always = async (command: string): Promise<Host> => {
    const host = await at.boot();
    at.person.answer = { kind: 'always' };
    await at.call(host, 'bash', { command });
    at.person.asked.length = 0;
    at.person.answer = { kind: 'no' };
    return host;
  };
  const asks = async (host: Host, command: string): Promise<boolean> => {
    at.person.asked.length = 0;
    await at.call(host, 'bash', { command });
    return at.person.asked.length > 0;
  };

  it('is that command, stars and all, and no other', async () => {
    const host = await always("grep -rn 'onclick.*Tab' src");
    expect(await asks(host, "grep -rn 'onclick.*Tab' src")).toBe(false);
    for (const other of [
      "grep -rn 'onclick X; touch {{OUT}}/CANARY; Tab' src",
      "grep -rn 'onclick.*Tab' src; touch CANARY",
      "grep -rn 'onclick.*Tab' src > CANARY",
      "grep -rn 'onclick.*Tab' src $(touch CANARY)",
      "grep -rn 'onclick..Tab' src",
      "A=1 grep -rn 'onclick.*Tab' src",
      "./grep -rn 'onclick.*Tab' src",
    ])
      expect([other, await asks(host, other)]).toEqual([other, true]);
  });

  it.each(['env A=1 make', 'sudo ls', 'xargs ls', "sh -c 'ls' x", 'npx ls', 'rm -rf src', 'git push -f'])(
    'is not remembered for what decides how it runs: %s',
    async (command) => {
      const host = await at.boot();
      at.person.answer = { kind: 'no' };
      await at.call(host, 'bash', { command });
      const offer = at.person.asked[0]?.decision.trustOffer;
      if (offer?.offered === true) {
        expect(JSON.stringify(offer)).not.toContain('*');
        expect(command).toBe("sh -c 'ls' x");
      } else expect(offer?.reason).toMatch(/\S/);
    },
  );

  it('is asked again in another project', async () => {
    await always('ls -l');
    const elsewhere = await HazardHost.create();
    try {
      const host = await elsewhere.boot();
      await elsewhere.call(host, 'bash', { command: 'ls -l' });
      expect(elsewhere.person.asked).toHaveLength(1);
    } finally {
      await elsewhere.remove();
    }
  });

  it('is run to the letter: what nobody sees is not taken out', async () => {
    const host = await at.boot();
    at.person.answer = { kind: 'once' };
    const outcome = await at.call(host, 'bash', { command: 'rm\u200b -rf {{OUT}}/d' });
    expect(at.person.asked).toHaveLength(1);
    expect(textOf(outcome)).toMatch(/command not found/);
    expect(existsSync(path.join(at.outside, 'd/x'))).toBe(true);
  });
});

describe('rules', () => {
  const configure = { command: { argv: ['aws', 'configure', 'set'] } };
  it.each([[['allow', 'confirm']], [['confirm', 'allow']]] as const)(
    'count by strictness, not by order: %j',
    async (effects) => {
      const rules = effects.map((effect) => ({ effect, when: effect === 'confirm' ? configure : {} }));
      for (const command of [
        'aws configure set x y',
        'aws --profile p configure set x y',
        'nohup aws configure set x y',
      ])
        expect([command, verdict(await bash(command, { rules }))]).toEqual([command, 'confirm']);
    },
  );

  it('see a whole command, however long', async () => {
    const rules = [
      { effect: 'deny' as const, when: { path: { some: ['~/.ssh/**'] } } },
      { effect: 'deny' as const, when: { command: { argv: ['*', '*forbidden*'] } } },
    ];
    const padding = [
      `true ##########\n${'echo x\n'.repeat(400)}`,
      `true${' '.repeat(9_000)};`,
      `echo ${'a'.repeat(40_000)};`,
    ];
    for (const before of padding) {
      expect(verdict(await bash(`${before}cat {{HOME}}/.ssh/id_rsa`, { rules, yolo: true }))).toBe('deny');
      expect(verdict(await bash(`${before}echo forbidden`, { rules, yolo: true }))).toBe('deny');
    }
  });

  it('about one program do not answer for the folder it reads', async () => {
    const outcome = await bash('cat {{OUT}}/d/x', { rules: [allowCommand('cat')] });
    expect([verdict(outcome), textOf(outcome).includes('kept')]).toEqual(['confirm', false]);
  });

  it.each([
    ['is no YAML', async (file: string) => writeFile(file, 'rules: [')],
    ['is a folder', async (file: string) => mkdir(file)],
    ['is a link to nothing', async (file: string) => symlink('/nowhere/policy.yaml', file)],
    ['is a pipe', async (file: string) => void execFileSync('mkfifo', [file])],
    ['is empty', async (file: string) => writeFile(file, '')],
  ])(
    'in a file that %s deny everything and name it; without it the defaults are back',
    async (_what, lay) => {
      const file = path.join(at.home, '.wrongstack/policy.yaml');
      await mkdir(path.dirname(file), { recursive: true });
      await lay(file);
      const host = await at.boot({ local: true, yolo: true });
      const denied = await at.call(host, 'read', { path: 'a.txt' });
      expect([verdict(denied), textOf(denied)]).toEqual(['deny', expect.stringContaining('policy.yaml')]);
      await rm(file, { recursive: true });
      expect((await at.call(host, 'read', { path: 'a.txt' })).status).toBe('ok');
    },
  );
});

describe('hooks', () => {
  it.each([
    ['throws', () => Promise.reject(new Error('broken'))],
    ['never answers', () => new Promise<undefined>(() => undefined)],
    ['answers nonsense', () => ({ decision: 'allow' }) as never],
  ])('that decide deny when one %s', async (_what, hook) => {
    const host = await at.boot({ yolo: true });
    host.kernel.hooks.preExecute(hook, { owner: 'gate', timeoutMs: 50 });
    const outcome = await at.call(host, 'bash', { command: 'touch CANARY' });
    expect([verdict(outcome), textOf(outcome)]).toEqual(['deny', expect.stringContaining('gate')]);
    expect(existsSync(inProject('CANARY'))).toBe(false);
  });

  it('that only watch change nothing when one throws', async () => {
    const host = await at.boot({ yolo: true });
    host.kernel.events.onPattern('*', () => {
      throw new Error('watcher');
    });
    expect((await at.call(host, 'bash', { command: 'echo hi' })).status).toBe('ok');
  });
});
