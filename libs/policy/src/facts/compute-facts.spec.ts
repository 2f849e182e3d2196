import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Facts, PathFact, ToolClaims } from '@wrongstack/contracts';
import { computeFacts } from './compute-facts.js';
import { nodeFactFileSystem } from './fact-file-system.js';
import { redactFacts } from './redact-facts.js';
import { sampleCall } from './sample-call.spec-support.js';

const clock = { now: () => Date.parse('2026-11-30T14:02:00Z') };

describe('the facts of a call', () => {
  let root: string;
  let home: string;
  let project: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'facts-')));
    home = join(root, 'home');
    project = join(root, 'pay');
    await mkdir(join(project, 'src'), { recursive: true });
    await mkdir(join(project, '.git/hooks'), { recursive: true });
    await mkdir(join(home, '.wrongstack/scratch'), { recursive: true });
    await mkdir(join(home, '.ssh'));
    await mkdir(join(root, 'pay-evil'));
    await mkdir(join(root, 'outside/sub'), { recursive: true });
    await writeFile(join(project, 'src/a.ts'), 'a');
    await writeFile(join(home, '.ssh/id_rsa'), 'k');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const options = () => ({ home, agentHome: join(home, '.wrongstack'), clock, toolchainScratch: [] });
  const compute = (claims: ToolClaims | (() => unknown), change: Parameters<typeof sampleCall>[2] = {}) =>
    computeFacts(sampleCall(project, claims, change), options());
  const paths = (facts: Facts): readonly PathFact[] => {
    if (facts.paths === 'unknown') throw new Error('paths are unknown');
    return facts.paths;
  };
  const none = { paths: [], command: null, urls: [] } as const;
  const one = async (path: string, access: 'read' | 'write' = 'write') => {
    const found = paths(await compute({ ...none, paths: [{ path, access }] }));
    expect(found).toHaveLength(1);
    return found[0]!;
  };
  const shell = async (command: string) => compute({ command, paths: [], urls: [] });

  it('are frozen, at any depth', async () => {
    const facts = await compute(none);
    expect(Object.isFrozen(facts) && Object.isFrozen(facts.actor) && Object.isFrozen(facts.effective)).toBe(
      true,
    );
    expect(facts).toMatchObject({
      project,
      cwd: project,
      now: '2026-11-30T14:02:00.000Z',
      paths: [],
      hosts: [],
    });
  });

  describe('claims', () => {
    it.each<[string, (() => unknown) | undefined]>([
      [
        'throw',
        () => {
          throw new Error('no');
        },
      ],
      ['are a promise', () => Promise.resolve(none)],
      ['are a promise that rejects', () => Promise.reject(new Error('late'))],
      ['are missing', undefined],
      ['are no object', () => 'nothing'],
      ['are a list', () => []],
      ['have no working folder', () => ({ ...none, command: 'ls', cwd: 7 })],
      ['are inherited', () => Object.create(none) as unknown],
      ['have the wrong types', () => ({ paths: 'a', command: 7, urls: [7] })],
      ['name a path badly', () => ({ paths: [{ path: 'a' }], command: [], urls: null })],
      [
        'are too many',
        () => ({ paths: Array(5_000).fill({ path: 'a', access: 'read' }), urls: Array(5_000).fill('a') }),
      ],
      [
        'hide behind a throwing getter',
        () => ({
          ...none,
          get urls(): never {
            throw new Error('no');
          },
        }),
      ],
    ])('that %s leave everything unknown', async (_, describeCall) => {
      const facts = await compute(none, { tool: { describeCall: describeCall as never } });
      expect(facts).toMatchObject({ paths: 'unknown', command: 'unknown', hosts: 'unknown' });
      expect(facts.effective).toEqual([{ name: 'shell.arbitrary', declared: true, carriedBy: 'all' }]);
    });

    it('that took too long are not believed', async () => {
      let now = 0;
      const call = sampleCall(project, () => {
        now += 60_000;
        return none;
      });
      const facts = await computeFacts(call, { ...options(), clock: { now: () => now } });
      expect(facts.paths).toBe('unknown');
    });

    it('that leave out a key leave that one unknown', async () => {
      expect(await compute({ paths: [], command: null })).toMatchObject({
        paths: [],
        command: null,
        hosts: 'unknown',
      });
      expect(await compute({ paths: [], urls: [] })).toMatchObject({
        paths: [],
        command: 'unknown',
        hosts: [],
      });
    });

    it('of a command make its paths and hosts known', async () => {
      expect(await compute({ command: 'pwd' })).toMatchObject({ paths: [], hosts: [] });
    });

    it('of plugins satisfy no allow unless somebody vouches for that plugin', async () => {
      expect((await compute(none)).claimsTrusted).toBe(true);
      expect((await compute(none, { tool: { owner: 'acme' } })).claimsTrusted).toBe(false);
      const vouched = await computeFacts(sampleCall(project, none, { tool: { owner: 'acme' } }), {
        ...options(),
        trustsClaimsOf: (owner) => owner === 'acme',
      });
      expect(vouched.claimsTrusted).toBe(true);
    });

    it('may move the working folder', async () => {
      const facts = await compute({ ...none, cwd: 'src', paths: [{ path: 'a.ts', access: 'read' }] });
      expect(facts.cwd).toBe(join(project, 'src'));
      expect(paths(facts)[0]?.relative).toBe('src/a.ts');
      const lost = await compute({ ...none, cwd: 'nowhere', paths: [{ path: 'a.ts', access: 'read' }] });
      expect(lost.cwd).toBeNull();
      expect(paths(lost)[0]?.real).toBeNull();
      await symlink('loop', join(project, 'loop'));
      const looped = await compute({ command: 'echo x > a.ts', cwd: 'loop', paths: [], urls: [] });
      expect(paths(looped)).toMatchObject([{ real: null, access: 'write' }]);
    });
  });

  describe('paths', () => {
    it('are inside by whole names', async () => {
      expect(await one('src/a.ts')).toMatchObject({ inside: true, relative: 'src/a.ts', exists: true });
      expect(await one('src/new/b.ts')).toMatchObject({
        inside: true,
        relative: 'src/new/b.ts',
        exists: false,
      });
      expect(await one('.')).toMatchObject({ inside: true, relative: '' });
      expect(await one(join(root, 'pay-evil/s.txt'))).toMatchObject({ inside: false, relative: null });
    });

    it('leave the project through a linked folder, for a file that does not exist yet', async () => {
      await symlink(join(root, 'outside'), join(project, 'link'));
      expect(await one('link/new.xml')).toMatchObject({
        real: join(root, 'outside/new.xml'),
        inside: false,
        linkLeavesProject: true,
      });
    });

    it('leave it through a dangling link', async () => {
      await symlink(join(root, 'outside/not-there-yet'), join(project, 'out.txt'));
      expect(await one('out.txt')).toMatchObject({ inside: false, linkLeavesProject: true, exists: false });
    });

    it('do not leave it through a link that stays, or through the spelling of the project itself', async () => {
      await symlink('src', join(project, 'alias'));
      expect(await one('alias/a.ts')).toMatchObject({ relative: 'src/a.ts', linkLeavesProject: false });
      await symlink(project, join(root, 'spelt'));
      const call = sampleCall(join(root, 'spelt'), {
        ...none,
        paths: [{ path: 'src/a.ts', access: 'write' }],
      });
      expect(paths(await computeFacts(call, options()))).toMatchObject([
        { relative: 'src/a.ts', linkLeavesProject: false },
      ]);
    });

    it('mean both files where .. follows a link', async () => {
      await symlink(join(root, 'outside/sub'), join(project, 'link'));
      const found = paths(await compute({ ...none, paths: [{ path: 'link/../x', access: 'write' }] }));
      expect(found.map(({ real }) => real)).toEqual([join(root, 'outside/x'), join(project, 'x')]);
    });

    it.each([
      [
        'a loop',
        async () => {
          await symlink('b', join(project, 'a'));
          await symlink('a', join(project, 'b'));
        },
        'a',
      ],
      ['a file used as a folder', async () => undefined, 'src/a.ts/x'],
      ['a name that is too long', async () => undefined, 'x'.repeat(400)],
      ['a NUL byte', async () => undefined, 'a\0b'],
    ])('that cannot be resolved say so: %s', async (_, lay, path) => {
      await lay();
      expect(await one(path)).toMatchObject({ real: null, inside: false, claimed: path });
    });

    it('that are no files say so', async () => {
      execFileSync('mkfifo', [join(project, 'fifo')]);
      expect((await one('fifo')).device).toBe(true);
      expect((await one('/dev/zero', 'read')).device).toBe(true);
    });

    it('of credentials and of programs that obey them are named, also through links', async () => {
      await symlink(join(home, '.ssh'), join(project, 'keys'));
      await symlink('.git/hooks', join(project, 'h'));
      expect((await one('keys/id_rsa', 'read')).credential).toBe('ssh keys');
      expect((await one('h/pre-commit')).protected).toContain('git hook');
      expect((await one('.husky/pre-push')).protected).toContain('git hook');
    });

    it("of the agent's own files are named, however they are spelt", async () => {
      await symlink(join(home, '.wrongstack'), join(project, 'data'));
      await symlink('.wrongstack', join(project, 'settings'));
      await mkdir(join(project, '.wrongstack'));
      for (const path of [
        'data/config.json',
        'settings/policy.yaml',
        '.wrongstack/x',
        '../home/.wrongstack/trust.json',
      ]) {
        expect((await one(path)).agentOwn).toBe(true);
      }
      expect((await one(join(home, '.wrongstack/scratch/out'))).agentOwn).toBe(false);
    });

    it('in scratch folders are marked', async () => {
      const scratch = join(root, 'outside');
      const call = sampleCall(
        project,
        { ...none, paths: [{ path: join(scratch, 'x'), access: 'read' }] },
        { scratchDirs: [scratch] },
      );
      expect(paths(await computeFacts(call, options()))).toMatchObject([{ scratch: true, inside: false }]);
      const toolchain = { ...options(), toolchainScratch: [join(root, 'outside/sub')] };
      const reads = {
        ...none,
        paths: [
          { path: join(scratch, 'sub/x'), access: 'read' as const },
          { path: join(scratch, 'x'), access: 'read' as const },
        ],
      };
      expect(
        paths(await computeFacts(sampleCall(project, reads), toolchain)).map((path) => path.scratch),
      ).toEqual([true, false]);
    });

    it('follow the disk: a folder swapped for a link is another path at once', async () => {
      await mkdir(join(project, 'd'));
      expect((await one('d/f.txt')).inside).toBe(true);
      await rename(join(project, 'd'), join(project, 'was'));
      await symlink(join(root, 'outside'), join(project, 'd'));
      expect(await one('d/f.txt')).toMatchObject({ inside: false, linkLeavesProject: true });
    });

    it('fail with the project, not without it', async () => {
      await rm(project, { recursive: true });
      await expect(compute(none)).rejects.toMatchObject({ code: 'facts.project_missing' });
    });

    it('are unknown where the disk refuses to say', async () => {
      const fs = {
        ...nodeFactFileSystem,
        lstat: (path: string) =>
          path.endsWith('/src')
            ? Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))
            : nodeFactFileSystem.lstat(path),
      };
      const call = sampleCall(project, { ...none, paths: [{ path: 'src/a.ts', access: 'write' }] });
      expect(paths(await computeFacts(call, { ...options(), fs }))).toMatchObject([{ real: null }]);
    });
  });

  describe('capabilities', () => {
    const effective = async (claims: ToolClaims, capabilities?: string[]) =>
      Object.fromEntries(
        (await compute(claims, { tool: { capabilities } })).effective.map((one) => [one.name, one]),
      );

    it('are those declared and those implied', async () => {
      const claims: ToolClaims = {
        paths: [
          { path: 'a', access: 'read' },
          { path: 'b', access: 'write' },
          { path: '/tmp/c', access: 'write' },
        ],
        command: null,
        urls: ['https://example.com'],
      };
      const found = await effective(claims, ['fs.read', 'acme.thing']);
      expect(Object.keys(found).sort()).toEqual([
        'acme.thing',
        'fs.read',
        'fs.write',
        'fs.write.outside-project',
        'net.outbound',
      ]);
      expect(found['fs.read']).toMatchObject({ declared: true, carriedBy: 'all' });
      expect(found['net.outbound']).toMatchObject({ declared: false, carriedBy: 'all' });
    });

    it('are unknown where none is declared, whatever is implied', async () => {
      expect(Object.keys(await effective({ ...none, paths: [{ path: 'a', access: 'read' }] }, []))).toEqual([
        'fs.read',
        'unknown',
      ]);
    });

    it('of a command are carried by those that imply them', async () => {
      const found = await effective(
        { command: 'pwd; cat a; cat b > c; curl https://example.com', paths: [], urls: [] },
        ['shell.arbitrary'],
      );
      expect(found['shell.arbitrary']).toMatchObject({ carriedBy: 'all' });
      expect(found['fs.read']).toMatchObject({ carriedBy: [1, 2] });
      expect(found['fs.write']).toMatchObject({ carriedBy: [2] });
      expect(found['net.outbound']).toMatchObject({ carriedBy: [3] });
    });

    it('count a write to who knows where as one outside', async () => {
      expect(
        Object.keys(await effective({ command: 'echo x > "$F"', paths: [], urls: [] }, ['shell.arbitrary'])),
      ).toContain('fs.write.outside-project');
    });
  });

  describe('hosts', () => {
    const host = async (url: string) => (await compute({ ...none, urls: [url] })).hosts;

    it.each([
      ['https://Example.COM./x', 'https', 'example.com', 443],
      ['http://user:pass@example.com:8080/', 'http', 'example.com', 8080],
      ['https://example.com@evil.test/', 'https', 'evil.test', 443],
      ['https://bücher.example/', 'https', 'xn--bcher-kva.example', 443],
      ['http://127.1/', 'http', '127.0.0.1', 80],
      ['http://0x7f000001/', 'http', '127.0.0.1', 80],
      ['http://[::1]:3000/', 'http', '::1', 3000],
      ['https:\\\\evil.test\\@example.com', 'https', 'evil.test', 443],
      ['ssh://git@GitHub.com/x', 'ssh', 'github.com', 22],
      ['example.com/path', 'http', 'example.com', 80],
      ['localhost:3000', 'http', 'localhost', 3000],
      ['wss://example.com', 'wss', 'example.com', 443],
    ])('%s is read by a URL parser', async (url, scheme, name, port) => {
      expect(await host(url)).toEqual([{ scheme, host: name, port, command: null }]);
    });

    it.each(['http://', 'http://exa mple.com', '', 'https://%zz/', 'mailto:a@b'])(
      '%j has a host that is unknown',
      async (url) => {
        expect(await host(url)).toMatchObject([{ host: null }]);
      },
    );

    it('of a file URL are none, but its path is read', async () => {
      const facts = await compute({ ...none, urls: ['file:///etc/passwd'] });
      expect(facts.hosts).toEqual([]);
      expect(paths(facts)).toMatchObject([{ real: '/etc/passwd', access: 'read', inside: false }]);
    });
  });

  describe('risk', () => {
    it('is the declared tier, standard where none is', async () => {
      expect(await compute(none, { tool: { riskTier: 'safe' } })).toMatchObject({
        riskTier: 'safe',
        callRisk: 'safe',
      });
      expect(await compute(none)).toMatchObject({
        riskTier: 'unknown',
        callRisk: 'standard',
        riskReasons: [],
      });
      expect(await compute(none, { tool: { riskTier: 'destructive' } })).toMatchObject({
        callRisk: 'destructive',
        riskReasons: ['tool sample is declared destructive'],
      });
    });

    it('is the class of the command for tools that say so', async () => {
      const bash = (command: string) =>
        compute({ command, paths: [], urls: [] }, { tool: { riskPerCall: true, riskTier: 'destructive' } });
      expect(await bash('ls')).toMatchObject({ riskTier: 'standard', callRisk: 'standard' });
      expect(await bash('ls && rm -rf x')).toMatchObject({
        callRisk: 'destructive',
        riskReasons: ['rm -rf'],
      });
    });

    it('is the stricter of both for the others', async () => {
      const facts = await compute(
        { command: 'rm -rf x', paths: [], urls: [] },
        { tool: { riskTier: 'safe' } },
      );
      expect(facts).toMatchObject({ riskTier: 'destructive', callRisk: 'destructive' });
    });

    it('is the worst where a command is not described, and never talked down by a plugin', async () => {
      const tool = { riskPerCall: true, riskTier: 'destructive', owner: 'acme' } as const;
      expect(await compute(() => null, { tool })).toMatchObject({
        callRisk: 'destructive',
        riskTier: 'unknown',
      });
      expect((await compute({ command: 'ls', paths: [], urls: [] }, { tool })).callRisk).toBe('destructive');
    });
  });

  it('read Windows spellings by the rules of Windows', async () => {
    const known: Record<string, string> = {
      'C:\\': 'C:\\',
      'C:\\WS': 'C:\\ws',
      'C:\\WS\\LINK': 'C:\\out',
      'C:\\OUT': 'C:\\out',
      'C:\\HOME': 'C:\\home',
    };
    const find = (path: string): string => {
      const found = known[path.toUpperCase()];
      if (found === undefined) throw Object.assign(new Error('none'), { code: 'ENOENT' });
      return found;
    };
    const fs = {
      ...nodeFactFileSystem,
      platform: 'win32' as const,
      lstat: async (path: string) => ({
        kind: path.toUpperCase() === 'C:\\WS\\LINK' ? ('link' as const) : ('directory' as const),
        size: 0,
        identity: find(path),
        mtimeNs: '0',
      }),
      readlink: async () => 'C:\\out',
      realpath: async (path: string) => find(path),
    };
    const fact = async (path: string) => {
      const call = sampleCall('C:\\ws', { ...none, paths: [{ path, access: 'write' }] });
      const where = { ...options(), fs, home: 'C:\\home', agentHome: 'C:\\home\\.wrongstack' };
      return paths(await computeFacts(call, where))[0];
    };
    for (const path of ['c:/WS/a.txt', '\\\\?\\C:\\ws\\a.txt', 'a.txt', '.\\x\\..\\a.txt']) {
      expect(await fact(path)).toMatchObject({ real: 'C:\\ws\\a.txt', relative: 'a.txt', inside: true });
    }
    expect(await fact('\\\\localhost\\C$\\ws\\a.txt')).toMatchObject({ real: null, device: true });
    expect(await fact('NUL')).toMatchObject({ real: null, device: true });
    expect(await fact('a.txt:stream')).toMatchObject({ real: null });
    expect(await fact('\\\\?\\C:\\ws\\link\\x')).toMatchObject({
      real: 'C:\\out\\x',
      inside: false,
      linkLeavesProject: true,
    });
    expect(await fact('.git.\\config')).toMatchObject({ protected: expect.any(String) });
    expect(await fact('C:\\home\\.WRONGSTACK\\policy.yaml')).toMatchObject({ agentOwn: true });
  });

  it('believe a tool only what it says outright', async () => {
    const facts = await compute(none, {
      tool: { permission: 'sure' as never, mutating: undefined as never },
    });
    expect(facts).toMatchObject({ permission: 'unknown', mutating: true });
  });

  it('say where an MCP tool comes from', async () => {
    const mcp = { server: 'jira', url: 'https://jira.example', toolDigest: 'sha256:2', pinned: true };
    expect((await compute(none, { tool: { mcp } })).mcp).toEqual({ ...mcp, commandDigest: null });
    expect((await compute(none, { tool: { mcp: { ...mcp, pinned: 'yes' as never } } })).mcp?.pinned).toBe(
      false,
    );
  });

  describe('of shell commands', () => {
    it('exempt a program’s own bookkeeping, and nothing else', async () => {
      const git = paths(await shell('git add src/a.ts')).filter(({ access }) => access === 'write');
      expect(git.every((path) => path.protected === null)).toBe(true);
      expect(paths(await shell('echo x > .git/hooks/pre-commit'))).toMatchObject([
        { access: 'write', protected: expect.any(String) },
      ]);
    });

    it('find credentials that are read with all that lies below a folder', async () => {
      const asks = async (command: string) =>
        paths(await shell(command)).some(({ credential }) => credential !== null);
      expect(await asks('grep -rn x .')).toBe(false);
      await mkdir(join(project, 'deploy/staging'), { recursive: true });
      await writeFile(join(project, 'deploy/staging/.env'), 'K=v');
      for (const command of [
        'grep -rn x .',
        'grep -R x deploy',
        'cp -r deploy /tmp/x',
        'tar cf x.tar deploy',
        'rg --hidden x deploy',
        'rg -uu x .',
      ]) {
        expect([command, await asks(command)]).toEqual([command, true]);
      }
      for (const command of ['grep x src/a.ts', 'rg x deploy', 'grep -rn x src', 'ls -a deploy']) {
        expect([command, await asks(command)]).toEqual([command, false]);
      }
    });

    describe('that find hands on', () => {
      const marks = async (command: string) =>
        paths(await shell(command)).some((path) => path.credential !== null || path.protected !== null);
      beforeEach(async () => {
        await mkdir(join(project, '.git/hooks'), { recursive: true });
        await writeFile(join(project, '.git/config'), '');
        await writeFile(join(project, '.git/hooks/pre-commit'), '');
        await mkdir(join(project, 'deploy'), { recursive: true });
        await writeFile(join(project, 'deploy/.env'), 'K=v');
      });

      it.each([
        'find . -type f -exec cat {} +',
        String.raw`find . -name .env -exec cat {} \;`,
        String.raw`find . -name "*env" -execdir cat {} \;`,
        String.raw`find deploy -name ".e*" -ok head {} \;`,
        'find . -name "*.ts" -o -name .env -exec cat {} +',
        'find . ! -name "*.ts" -exec nice cat {} +',
        'find . -name "$NAME" -exec cat {} +',
        'find . -exec cat {} + -name "*.ts"',
        'find . -name config -exec tee {} +',
        'find . -name pre-commit -exec sed -i s/a/b/ {} +',
        String.raw`find . -path "*hooks*" -exec cp x {} \;`,
      ])('are credentials and protected files: %s', async (command) => {
        expect(await marks(command)).toBe(true);
      });

      it.each([
        'find . -name "*.ts" -exec grep x {} +',
        'find src -type f -exec cat {} +',
        'find . -name "*.ts" -exec sed -i s/a/b/ {} +',
        'find . -type f -exec echo {} +',
      ])('are nothing of the kind: %s', async (command) => {
        expect(await marks(command)).toBe(false);
      });
    });

    it('find credentials behind a wildcard', async () => {
      for (const command of ['cat .e*', 'cat .env*', 'head ~/.ssh/id_*', 'cat ./.[e]nv', 'cat */.env']) {
        expect(paths(await shell(command)).some(({ credential }) => credential !== null)).toBe(true);
      }
      for (const command of ['cat *', 'cat src/*.ts', 'cat .env.example', 'grep -r x src']) {
        expect(paths(await shell(command)).some(({ credential }) => credential !== null)).toBe(false);
      }
    });
  });

  it('are stored without secrets, in text and words alike', async () => {
    const scrub = (text: string) => text.replace(/hunter2\w*/g, '***');
    const secret = redactFacts(
      await shell('curl -H "X: hunter2secret" https://example.com > hunter2.txt'),
      scrub,
    );
    expect(JSON.stringify(secret)).not.toContain('hunter2');
    const pair = (text: string) => text.replace(/--token \S+/g, '--token ***');
    const masked = redactFacts(await shell('deploy --token abcdefgh12'), pair);
    expect(JSON.stringify(masked.command)).not.toContain('abcdefgh12');
  });
});
