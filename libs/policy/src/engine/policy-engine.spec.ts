import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Approval, type Decision, NOBODY, type ToolCall, type ToolClaims } from '@wrongstack/contracts';
import { LocalPolicies } from '../documents/local-policies.js';
import { FixedPolicies, JoinedPolicies, PolicyDocuments } from '../documents/policy-documents.js';
import type { PolicyDocument, PolicyRule } from '../documents/policy-document.js';
import { AT_THE_KEYBOARD, sampleCall } from '../facts/sample-call.spec-support.js';
import { FileTrustStores, trustFileOf, TrustStores } from '../trust/trust-store.js';
import { PolicyEngine, type PolicyEngineOptions } from './policy-engine.js';
import { NotEnrolled, PolicyStateSource } from './policy-state-source.js';

const org = (rules: readonly PolicyRule[], change: Partial<PolicyDocument> = {}): PolicyDocument => ({
  apiVersion: 'policy.wrongstack/v1',
  kind: 'CapabilityPolicy',
  metadata: { id: 'acme', revision: 7, scope: { tier: 'org' } },
  rules,
  ...change,
});
const rule = (id: string, effect: PolicyRule['effect'], change: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  effect,
  actions: ['*'],
  because: 'because of the test',
  ...change,
});

describe('the policy engine', () => {
  let root: string;
  let project: string;
  let home: string;
  let agentHome: string;
  let now: number;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'engine-')));
    [project, home] = [join(root, 'pay'), join(root, 'home')];
    agentHome = join(home, '.wrongstack');
    now = Date.parse('2026-11-30T14:02:00Z');
    await mkdir(join(project, 'src'), { recursive: true });
    await mkdir(agentHome, { recursive: true });
    await writeFile(join(project, 'src/a.ts'), 'before');
  });
  afterEach(() => rm(root, { recursive: true }));

  const engine = (change: Partial<PolicyEngineOptions> = {}) =>
    new PolicyEngine({
      documents: new LocalPolicies({ agentHome, managedFolder: join(root, 'etc') }),
      trust: new FileTrustStores(agentHome),
      state: new NotEnrolled(),
      clock: { now: () => now },
      home,
      agentHome,
      scrub: (text) => text.replaceAll('hunter2', '***'),
      ...change,
    });
  const withRules = (...rules: PolicyRule[]) => engine({ documents: new FixedPolicies([org(rules)]) });
  const call = (claims: ToolClaims, change: Parameters<typeof sampleCall>[2] = {}) =>
    sampleCall(project, claims, {
      ...change,
      tool: { name: 'bash', riskPerCall: 'command' in claims && claims.command !== null, ...change.tool },
    });
  const shell = (command: string, change: Parameters<typeof sampleCall>[2] = {}) =>
    call({ command, paths: [], urls: [] }, { input: { command }, ...change });
  const edit = (path: string) =>
    call(
      { paths: [{ path, access: 'write' }], command: null, urls: [] },
      { input: { path }, tool: { name: 'edit', capabilities: ['fs.write'] } },
    );
  const yes = (decision: Decision, change: Partial<Approval> = {}): Approval => ({
    digest: decision.approvalDigest,
    given: 'confirm',
    by: ['mira'],
    at: '2026-11-30T14:03:00Z',
    ...change,
  });

  it('denies dangerous calls, and no others, while the spool for the server is full', async () => {
    class FullSpool extends NotEnrolled {
      override async spoolIsFull(): Promise<boolean> {
        return true;
      }
    }
    const full = engine({ state: new FullSpool() });
    const capabilities = (name: string) => ({ tool: { capabilities: [name], permission: 'auto' as const } });
    const dangerous = await full.decide(
      call({ command: null, paths: [], urls: [] }, capabilities('net.outbound')),
    );
    expect(dangerous.verdict).toBe('deny');
    expect(dangerous.by).toMatchObject({ kind: 'state', id: 'spool-full' });
    const harmless = await full.decide(call({ command: null, paths: [], urls: [] }, capabilities('fs.read')));
    expect(harmless.verdict).toBe('allow');
  });

  it('hands out the paths as they are to whoever runs the call, and stores them masked', async () => {
    const policy = engine();
    const asked = edit('src/hunter2.ts');
    const decision = await policy.decide(asked);
    expect(decision.facts.paths).toMatchObject([{ real: join(project, 'src/***.ts') }]);
    expect(policy.decidedPaths(decision.id)).toEqual([join(project, 'src/hunter2.ts')]);
    const again = await policy.recheck(asked, decision, yes(decision));
    expect(policy.decidedPaths(again.id)).toEqual([join(project, 'src/hunter2.ts')]);
    expect(engine().decidedPaths(decision.id)).toBeNull();
  });

  it('decides with everything that explains it, frozen and without secrets', async () => {
    const decision = await engine().decide(shell('echo hunter2'));
    expect(decision).toMatchObject({
      verdict: 'confirm',
      by: { kind: 'tool', id: 'bash' },
      policy: { id: null, revision: null, state: 'none' },
      trustOffer: { offered: false, reason: 'it would store a secret' },
    });
    expect(decision.id).toMatch(/^d-/);
    expect(decision.micros).toBeGreaterThanOrEqual(0);
    expect(Object.isFrozen(decision) && Object.isFrozen(decision.facts)).toBe(true);
    expect(JSON.stringify(decision)).not.toContain('hunter2');
  });

  it('names the governing document', async () => {
    const decision = await withRules(
      rule('no-echo', 'deny', { when: { command: { argv: ['echo'] } } }),
    ).decide(shell('echo a'));
    expect(decision).toMatchObject({
      verdict: 'deny',
      by: { kind: 'rule', id: 'no-echo', tier: 'org', document: 'acme', revision: 7 },
      policy: { id: 'acme', revision: 7 },
    });
  });

  describe('when something goes wrong', () => {
    class Broken extends PolicyDocuments {
      override async load(): Promise<never> {
        throw Object.assign(new Error('disk\non fire'), { code: 'EIO' });
      }
    }
    class BrokenState extends PolicyStateSource {
      override current(): never {
        throw new Error('no state');
      }
    }
    class BrokenTrust extends TrustStores {
      override forProject(): never {
        throw new Error('no trust');
      }
    }
    it.each<[string, Partial<PolicyEngineOptions>]>([
      ['the documents cannot be asked', { documents: new Broken() }],
      ['the state cannot be asked', { state: new BrokenState() }],
      ['the trust store cannot be asked', { trust: new BrokenTrust() }],
      [
        'the scrubber throws',
        {
          scrub: () => {
            throw new Error('no scrubber');
          },
        },
      ],
      ['the time is none', { clock: { now: () => Number.NaN } }],
    ])('denies and says so: %s', async (_, options) => {
      const broken = engine(options);
      const attempt = broken.decide(shell('ls'));
      expect(await attempt).toMatchObject({
        verdict: 'deny',
        by: { id: 'policy.internal' },
        trustOffer: { offered: false },
      });
      expect((await attempt).because).not.toContain('\n');
    });

    it('denies where the project is gone', async () => {
      const decision = await engine().decide({ ...shell('ls'), projectRoot: join(root, 'nowhere') });
      expect(decision).toMatchObject({ verdict: 'deny', by: { id: 'policy.internal' } });
    });

    it('denies input that is no JSON', async () => {
      const cyclic: Record<string, unknown> = {};
      cyclic['self'] = cyclic;
      expect((await engine().decide(shell('ls', { input: cyclic }))).verdict).toBe('deny');
    });

    it('denies all calls while a policy file is broken, and names it; absent files are the defaults', async () => {
      const policy = engine();
      expect((await policy.decide(shell('ls'))).verdict).toBe('confirm');
      const file = join(agentHome, 'policy.yaml');
      await writeFile(file, '{ not: a policy');
      const auto = () =>
        call({ paths: [], command: null, urls: [] }, { tool: { permission: 'auto', riskTier: 'safe' } });
      for (const one of [shell('ls'), edit('src/a.ts'), auto()]) {
        const decision = await policy.decide({ ...one, session: { ...AT_THE_KEYBOARD, yolo: true } });
        expect(decision.verdict).toBe('deny');
        expect(decision.because).toContain(file);
      }
      await rm(file);
      expect((await policy.decide(auto())).verdict).toBe('allow');
    });

    it('denies tools that run tools that run tools', async () => {
      const tool = { permission: 'auto', riskTier: 'safe', mutating: false } as const;
      const nested = (nesting: number) => call({ paths: [], command: null, urls: [] }, { nesting, tool });
      expect((await engine().decide(nested(2))).verdict).toBe('allow');
      expect(await engine().decide(nested(3))).toMatchObject({ verdict: 'deny', by: { id: 'nesting' } });
    });
  });

  describe('the floors that paths put up', () => {
    const verdictOf = async (claimed: string, access: 'read' | 'write', yolo = true) => {
      const claims: ToolClaims = { paths: [{ path: claimed, access }], command: null, urls: [] };
      const tool =
        access === 'read'
          ? {
              name: 'read',
              permission: 'auto' as const,
              capabilities: ['fs.read'],
              mutating: false,
              riskTier: 'safe' as const,
            }
          : { name: 'write', capabilities: ['fs.write'] };
      return (await engine().decide(call(claims, { tool, session: { ...AT_THE_KEYBOARD, yolo } }))).verdict;
    };

    it('hold under YOLO', async () => {
      await mkdir(join(root, 'pay-evil'));
      await mkdir(join(root, 'outside'));
      await symlink(join(root, 'outside'), join(project, 'link'));
      await symlink(join(root, 'outside/not-there-yet'), join(project, 'out.txt'));
      await symlink('b', join(project, 'a'));
      await symlink('a', join(project, 'b'));
      expect(await verdictOf('src/a.ts', 'read')).toBe('allow');
      expect(await verdictOf('src/a.ts', 'write')).toBe('allow');
      expect(await verdictOf(join(root, 'pay-evil/s.txt'), 'read')).toBe('confirm');
      expect(await verdictOf(join(root, 'pay-evil/s.txt'), 'write')).toBe('confirm');
      expect(await verdictOf('link/new.xml', 'write')).toBe('deny');
      expect(await verdictOf('out.txt', 'write')).toBe('deny');
      expect(await verdictOf('a', 'read')).toBe('deny');
      expect(await verdictOf('.wrongstack/config.json', 'write')).toBe('deny');
      expect(await verdictOf(join(agentHome, 'config.json'), 'write')).toBe('deny');
      expect(await verdictOf('.git/hooks/pre-commit', 'write')).toBe('confirm');
      expect(await verdictOf('.env', 'read')).toBe('confirm');
      expect(await verdictOf('/dev/zero', 'read')).toBe('deny');
    });

    it('hold for shell commands too', async () => {
      const tool = { permission: 'auto' as const };
      const verdict = async (command: string) =>
        (await engine().decide(shell(command, { tool, session: { ...AT_THE_KEYBOARD, yolo: true } })))
          .verdict;
      expect(await verdict('cat src/a.ts')).toBe('allow');
      expect(await verdict('cat /etc/hostname')).toBe('confirm');
      expect(await verdict('echo x > .git/hooks/pre-commit')).toBe('confirm');
      expect(await verdict(`echo '{}' > ${agentHome}/policy.yaml`)).toBe('deny');
      expect(await verdict('tee .wrongstack/config.json < src/a.ts')).toBe('deny');
      expect(await verdict('cat .e*')).toBe('confirm');
      expect(await verdict('cat /proc/self/environ ~/.aws/credentials ~/.ssh/id_ed25519')).toBe('confirm');
      await mkdir(join(root, 'outside'));
      await symlink(join(root, 'outside'), join(project, 'link'));
      expect(await verdict('rm -rf ./link/')).toBe('confirm');
      expect(await verdict('echo x > link/new')).not.toBe('allow');
      expect(await verdict('git clean -nd')).toBe('allow');
    });
  });

  describe('an approval', () => {
    it('counts for the very call that was agreed to', async () => {
      const policy = engine();
      const decision = await policy.decide(edit('src/a.ts'));
      const rechecked = await policy.recheck(edit('src/a.ts'), decision, yes(decision));
      expect(rechecked).toMatchObject({ verdict: 'allow', by: { kind: 'user', id: 'mira' } });
    });

    it('does not depend on the time, the session or the background: a task takes it to its worker', async () => {
      const policy = engine();
      const decision = await policy.decide(shell('npm test'));
      now += 3_600_000;
      const later: ToolCall = {
        ...shell('npm test'),
        background: true,
        session: { ...AT_THE_KEYBOARD, interactive: false },
      };
      expect((await policy.decide(later)).verdict).toBe('deny');
      expect((await policy.recheck(later, decision, yes(decision))).verdict).toBe('allow');
      // A worker is another process, which has never seen the decision.
      expect((await engine().recheck(later, decision, yes(decision))).verdict).toBe('allow');
    });

    it.each<[string, () => Promise<unknown>, (call: ToolCall) => ToolCall, string]>([
      [
        'the file it changes',
        () => writeFile(join(project, 'src/a.ts'), 'changed'),
        (same) => same,
        'content of',
      ],
      [
        'where its path leads',
        async () => {
          await rm(join(project, 'src/a.ts'));
          await writeFile(join(project, 'b.ts'), 'before');
          await symlink('../b.ts', join(project, 'src/a.ts'));
        },
        (same) => same,
        'paths changed',
      ],
      ['that its file exists', () => rm(join(project, 'src/a.ts')), (same) => same, 'paths changed'],
      [
        'its input',
        async () => undefined,
        (same) => ({ ...same, input: { path: 'src/a.ts', more: true } }),
        'input changed',
      ],
      [
        'its actor',
        async () => undefined,
        (same) => ({ ...same, actor: { ...NOBODY, plugin: 'x' } }),
        'actor changed',
      ],
      [
        'its tool',
        async () => undefined,
        (same) => ({ ...same, tool: { ...same.tool, definitionDigest: 'sha256:2' } }),
        'tool changed',
      ],
      [
        'its folder',
        async () => undefined,
        (same) => ({ ...same, cwd: join(project, 'src') }),
        'working folder changed',
      ],
    ])('is void once anything changed: %s', async (_, change, alter, reason) => {
      const policy = engine();
      const decision = await policy.decide(edit('src/a.ts'));
      await change();
      const rechecked = await policy.recheck(alter(edit('src/a.ts')), decision, yes(decision));
      expect(rechecked).toMatchObject({ verdict: 'confirm', by: { kind: 'floor', id: 'approval-void' } });
      expect(rechecked.because).toContain(reason);
    });

    it.each(['./run.sh', 'sh run.sh', 'cd . && ./run.sh'])(
      'covers the script that %s names',
      async (command) => {
        await writeFile(join(project, 'run.sh'), 'echo safe');
        await chmod(join(project, 'run.sh'), 0o755);
        const policy = engine();
        const decision = await policy.decide(shell(command));
        expect((await policy.recheck(shell(command), decision, yes(decision))).verdict).toBe('allow');
        await writeFile(join(project, 'run.sh'), 'echo changed');
        expect(await policy.recheck(shell(command), decision, yes(decision))).toMatchObject({
          verdict: 'confirm',
          by: { id: 'approval-void' },
        });
      },
    );

    it('given to another call is worth nothing', async () => {
      const policy = engine();
      const [one, other] = [await policy.decide(shell('ls')), await policy.decide(shell('npm test'))];
      expect((await policy.recheck(shell('npm test'), other, yes(one))).verdict).toBe('confirm');
      expect((await policy.recheck(shell('npm test'), other, null)).verdict).toBe('confirm');
    });

    const changeable = () => {
      let documents: readonly PolicyDocument[] = [];
      class Changeable extends PolicyDocuments {
        private loaded = { documents, failure: null };
        override async load() {
          if (this.loaded.documents !== documents) this.loaded = { documents, failure: null };
          return this.loaded;
        }
      }
      const policy = engine({ documents: new Changeable() });
      return {
        policy,
        publish: (...rules: PolicyRule[]) => {
          documents = [org(rules)];
        },
      };
    };
    const approvers = (change = {}) => ({ approvers: { count: 2, from: ['oncall'], ...change } });
    const reachable = { session: { ...AT_THE_KEYBOARD, remoteApprovals: true } };

    it('stands under a new policy that asks for no more', async () => {
      const { policy, publish } = changeable();
      const decision = await policy.decide(shell('npm test'));
      publish(rule('ask', 'confirm'));
      expect((await policy.recheck(shell('npm test'), decision, yes(decision))).verdict).toBe('allow');
    });

    it('falls under a new policy that denies, or asks other people', async () => {
      const { policy, publish } = changeable();
      const decision = await policy.decide(shell('npm test', reachable));
      publish(rule('two', 'approve', approvers()));
      expect(await policy.recheck(shell('npm test', reachable), decision, yes(decision))).toMatchObject({
        verdict: 'approve',
        by: { id: 'approval-void' },
      });
      publish(rule('no', 'deny'));
      expect(await policy.recheck(shell('npm test'), decision, yes(decision))).toMatchObject({
        verdict: 'deny',
        by: { id: 'no' },
      });
    });

    it('by others needs as many of them as policy asks now', async () => {
      const { policy, publish } = changeable();
      publish(rule('two', 'approve', approvers()));
      const asked = shell('npm test', reachable);
      const decision = await policy.decide(asked);
      const given = { given: 'approve', by: ['mira', 'jo'] } as const;
      expect(decision.verdict).toBe('approve');
      expect((await policy.recheck(asked, decision, yes(decision, given))).verdict).toBe('allow');
      expect(
        (await policy.recheck(asked, decision, yes(decision, { ...given, by: ['mira', 'mira'] }))).verdict,
      ).toBe('approve');
      expect((await policy.recheck(asked, decision, yes(decision))).verdict).toBe('approve');
      publish(rule('two', 'approve', approvers({ from: ['security'] })));
      expect((await policy.recheck(asked, decision, yes(decision, given))).verdict).toBe('approve');
    });

    it('by others travels to a worker while the policy stays, and no longer', async () => {
      const { policy, publish } = changeable();
      publish(rule('two', 'approve', approvers()));
      const decision = await policy.decide(shell('npm test', reachable));
      const worker = shell('npm test', { session: { ...AT_THE_KEYBOARD, interactive: false } });
      const approval = yes(decision, { given: 'approve', by: ['mira', 'jo'] });
      expect((await policy.recheck(worker, decision, approval)).verdict).toBe('allow');
      publish(rule('three', 'approve', approvers({ count: 3 })));
      expect((await policy.recheck(worker, decision, approval)).verdict).toBe('deny');
    });

    it('is not needed where policy has come to allow the call', async () => {
      const { policy, publish } = changeable();
      const decision = await policy.decide(shell('npm test'));
      publish(rule('tests', 'allow', { when: { command: { argv: ['npm', 'test'] } } }));
      expect((await policy.recheck(shell('npm test'), decision, null)).verdict).toBe('allow');
    });
  });

  describe('always and never', () => {
    it('are kept for the project and its next sessions', async () => {
      const policy = engine();
      const decision = await policy.decide(shell('npm test'));
      expect(decision.trustOffer).toMatchObject({
        offered: true,
        subjects: [{ kind: 'command', words: ['npm', 'test'] }],
      });
      await policy.remember(shell('npm test'), decision, 'allow');
      expect((await policy.decide(shell('npm test'))).verdict).toBe('allow');
      expect(await engine().decide(shell('npm test'))).toMatchObject({
        verdict: 'allow',
        by: { kind: 'trust' },
      });
      expect((await engine().decide(shell('npm run lint'))).verdict).toBe('confirm');
      const elsewhere = join(root, 'other');
      await mkdir(elsewhere);
      expect(
        (await engine().decide({ ...shell('npm test'), projectRoot: elsewhere, cwd: elsewhere })).verdict,
      ).toBe('confirm');
    });

    it('end when the offer said, and at once when they are revoked', async () => {
      const policy = engine();
      await policy.remember(shell('npm test'), await policy.decide(shell('npm test')), 'allow');
      now += 169 * 3_600_000;
      expect((await policy.decide(shell('npm test'))).verdict).toBe('confirm');
      now -= 160 * 3_600_000;
      expect((await policy.decide(shell('npm test'))).verdict).toBe('allow');
      const store = new FileTrustStores(agentHome).forProject(project);
      for (const { id } of await store.list()) await store.revoke(id);
      expect((await policy.decide(shell('npm test'))).verdict).toBe('confirm');
    });

    it('never is never, also under YOLO and however it is wrapped', async () => {
      const policy = engine();
      await policy.remember(
        shell('npm publish-docs'),
        await policy.decide(shell('npm publish-docs')),
        'deny',
      );
      for (const command of [
        'npm publish-docs',
        'nohup npm publish-docs now',
        'env A=1 /usr/bin/npm publish-docs',
      ]) {
        expect(
          (await policy.decide(shell(command, { session: { ...AT_THE_KEYBOARD, yolo: true } }))).verdict,
        ).toBe('deny');
      }
    });

    it('for a command does not answer the question about a path, and is not offered for a wrapper', async () => {
      const allow = rule('cats', 'allow', {
        actions: ['shell.arbitrary', 'fs.read'],
        when: { command: { argv: ['cat'] } },
      });
      expect((await withRules(allow).decide(shell('cat src/a.ts'))).verdict).toBe('allow');
      expect((await withRules(allow).decide(shell('cat /etc/hostname'))).verdict).toBe('confirm');
      for (const command of ['env A=1 make', 'ls | xargs cat', 'npx eslint .']) {
        expect((await engine().decide(shell(command))).trustOffer.offered).toBe(false);
      }
    });

    it('are refused where nothing was offered, or to another call', async () => {
      const policy = engine();
      const destructive = await policy.decide(shell('rm -rf src'));
      await expect(policy.remember(shell('rm -rf src'), destructive, 'allow')).rejects.toMatchObject({
        code: 'trust.not_offered',
      });
      const decision = await policy.decide(shell('npm test'));
      const changed = shell('npm test', { tool: { definitionDigest: 'sha256:2' } });
      await expect(policy.remember(changed, decision, 'allow')).rejects.toMatchObject({
        code: 'trust.not_offered',
      });
      await expect(engine().remember(shell('npm test'), decision, 'allow')).rejects.toMatchObject({
        code: 'trust.not_offered',
      });
    });

    it('are asked again when the tool is another one', async () => {
      const policy = engine();
      await policy.remember(shell('npm test'), await policy.decide(shell('npm test')), 'allow');
      expect(
        (await policy.decide(shell('npm test', { tool: { definitionDigest: 'sha256:2' } }))).verdict,
      ).toBe('confirm');
    });

    it('count for one session where a lock says so', async () => {
      const documents = new FixedPolicies([org([], { locks: { trustGrants: 'session' } })]);
      const before = engine();
      await before.remember(shell('npm ci'), await before.decide(shell('npm ci')), 'allow');
      const policy = engine({ documents });
      expect((await policy.decide(shell('npm ci'))).verdict).toBe('confirm');
      await policy.remember(shell('npm test'), await policy.decide(shell('npm test')), 'allow');
      expect((await policy.decide(shell('npm test'))).verdict).toBe('allow');
      expect((await engine({ documents }).decide(shell('npm test'))).verdict).toBe('confirm');
    });

    it('are out of force while the file is corrupt, which is kept; YOLO lowers nothing then', async () => {
      const policy = engine();
      await policy.remember(shell('npm test'), await policy.decide(shell('npm test')), 'allow');
      await writeFile(trustFileOf(agentHome, project), '{ "version": 1,');
      const yolo = shell('npm test', { session: { ...AT_THE_KEYBOARD, yolo: true } });
      expect((await policy.decide(yolo)).verdict).toBe('confirm');
      const decision = await policy.decide(shell('npm run lint'));
      await expect(policy.remember(shell('npm run lint'), decision, 'allow')).rejects.toMatchObject({
        code: 'trust.corrupt',
      });
    });
  });

  describe('profiles', () => {
    const profile = (name: 'guide' | 'balanced' | 'strict', documents: readonly PolicyDocument[] = []) =>
      engine({ profile: () => name, documents: new FixedPolicies(documents) });

    it('guide adds nothing, balanced lets read-only commands run inside the project, strict asks for every write', async () => {
      expect((await profile('guide').decide(shell('git status'))).verdict).toBe('confirm');
      const balanced = profile('balanced');
      for (const command of ['git status', 'cat src/a.ts', 'ls -la', 'pwd']) {
        expect(await balanced.decide(shell(command))).toMatchObject({
          verdict: 'allow',
          by: { id: 'read-only-commands' },
        });
      }
      for (const command of ['cat /etc/hostname', 'npm test', 'cat .env', 'echo a > b', 'ls && npm test']) {
        expect((await balanced.decide(shell(command))).verdict).toBe('confirm');
      }
      const write = edit('src/a.ts');
      const auto = { ...write, tool: { ...write.tool, permission: 'auto' as const } };
      expect((await profile('guide').decide(auto)).verdict).toBe('allow');
      expect((await profile('strict').decide(auto)).verdict).toBe('confirm');
    });

    it('are fixed by a lock', async () => {
      const locked = profile('balanced', [org([], { locks: { profile: 'guide' } })]);
      expect((await locked.decide(shell('git status'))).verdict).toBe('confirm');
    });
  });

  it('lets an org vouch for what a plugin says it touches', async () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const locks = { plugins: { allow: [{ name: 'acme', digest, claims: true }] } };
    const documents = new FixedPolicies([
      org([rule('reads', 'allow', { actions: ['fs.read'], when: { path: { every: ['src/**'] } } })], {
        locks,
      }),
    ]);
    const reads = call(
      { paths: [{ path: 'src/a.ts', access: 'read' }], command: null, urls: [] },
      { tool: { owner: 'acme', capabilities: ['fs.read'] } },
    );
    expect((await engine({ documents, pluginDigest: () => digest }).decide(reads)).verdict).toBe('allow');
    expect((await engine({ documents, pluginDigest: () => 'sha256:other' }).decide(reads)).verdict).toBe(
      'confirm',
    );
    expect((await engine({ documents }).decide(reads)).verdict).toBe('confirm');
  });

  it('joins central and local documents, and the first failure', async () => {
    const central = new FixedPolicies([org([rule('ask', 'confirm')])]);
    const local = new LocalPolicies({ agentHome, managedFolder: null });
    const joined = new JoinedPolicies([central, local]);
    expect(await joined.load(project)).toBe(await joined.load(project));
    await writeFile(join(agentHome, 'policy.yaml'), 'x');
    expect(await joined.load(project)).toMatchObject({
      documents: [{ metadata: { id: 'acme' } }],
      failure: { file: expect.any(String) },
    });
  });
});
