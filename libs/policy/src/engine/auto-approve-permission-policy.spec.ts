import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionPolicy, type ToolClaims } from '@wrongstack/contracts';
import { FixedPolicies } from '../documents/policy-documents.js';
import { sampleCall } from '../facts/sample-call.spec-support.js';
import { MemoryTrustStores } from '../trust/memory-trust-store.js';
import { AutoApprovePermissionPolicy, type AutoApproveOptions } from './auto-approve-permission-policy.js';
import { PolicyEngine } from './policy-engine.js';
import { NotEnrolled } from './policy-state-source.js';

const clock = { now: () => Date.parse('2026-11-30T14:02:00Z') };
const none: ToolClaims = { paths: [], command: null, urls: [] };

describe.each(['alone', 'in front of the engine'])('AutoApprovePermissionPolicy %s', (where) => {
  let root: string;
  let project: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'auto-')));
    project = join(root, 'pay');
    await mkdir(join(project, 'src'), { recursive: true });
    await mkdir(join(root, 'home'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const policy = (options: AutoApproveOptions = {}) => {
    const home = join(root, 'home');
    const base = new PolicyEngine({
      documents: new FixedPolicies([]),
      trust: new MemoryTrustStores(),
      state: new NotEnrolled(),
      clock,
      home,
      agentHome: join(home, '.wrongstack'),
      scrub: (text) => text,
    });
    return new AutoApprovePermissionPolicy({
      home,
      clock,
      ...(where === 'alone' ? {} : { base }),
      ...options,
    });
  };
  const verdict = async (
    capabilities: readonly string[] | undefined,
    options: AutoApproveOptions = {},
    claims: ToolClaims = none,
    tool: Parameters<typeof sampleCall>[2] = {},
  ) =>
    (await policy(options).decide(sampleCall(project, claims, { tool: { capabilities, ...tool.tool } })))
      .verdict;

  it('answers questions by capability, and never asks', async () => {
    expect(await verdict(['fs.read'])).toBe('allow');
    expect(await verdict(['fs.write', 'memory.read'])).toBe('allow');
    expect(await verdict(['shell.restricted'])).toBe('allow');
  });

  it.each([
    'shell.arbitrary',
    'net.outbound',
    'package.install',
    'config.mutate',
    'subagent.spawn',
    'acme.thing',
  ])('denies %s unless it is named', async (name) => {
    expect(await verdict([name])).toBe('deny');
    expect(await verdict([name], { allowCapabilities: [name] })).toBe('allow');
    expect(await verdict([name], { allowCapabilities: [name], denyCapabilities: [name] })).toBe('deny');
  });

  it('denies a tool that declares nothing', async () => {
    expect(await verdict(undefined)).toBe('deny');
    expect(await verdict([])).toBe('deny');
    expect(await verdict([], { allowCapabilities: ['unknown'] })).toBe('allow');
  });

  it('looks at what the call touches, not only at what the tool declares', async () => {
    const write = (path: string): ToolClaims => ({ ...none, paths: [{ path, access: 'write' }] });
    const allowCapabilities = ['fs.write', 'fs.read'];
    expect(await verdict(['fs.write'], { allowCapabilities }, write('src/a'))).toBe('allow');
    expect(await verdict(['fs.write'], { allowCapabilities }, write('/tmp/x'))).toBe('deny');
    expect(await verdict(['fs.write'], { allowCapabilities }, { ...none, urls: ['https://a.example'] })).toBe(
      'deny',
    );
    expect(
      await verdict(
        ['fs.write'],
        { denyCapabilities: ['fs.write'], allowCapabilities: ['fs.write', 'fs.write.outside-project'] },
        write('/tmp/x'),
      ),
    ).toBe('deny');
  });

  it('denies what more than an ordinary question stands before', async () => {
    const allowCapabilities = ['shell.arbitrary', 'fs.write', 'fs.read', 'fs.write.outside-project'];
    const read = (path: string): ToolClaims => ({ ...none, paths: [{ path, access: 'read' }] });
    const write = (path: string): ToolClaims => ({ ...none, paths: [{ path, access: 'write' }] });
    const may = (claims: ToolClaims) => verdict(['fs.read', 'fs.write'], { allowCapabilities }, claims);
    expect(await may(read('src/a'))).toBe('allow');
    expect(await may(read('.env'))).toBe('deny');
    expect(await may(read('/etc/hostname'))).toBe('deny');
    expect(await may(write('.git/hooks/x'))).toBe('deny');
    expect(await may(write('/tmp/x'))).toBe('deny');
    expect(await may(write('.wrongstack/config.json'))).toBe('deny');
    expect(await may(write('a\0b'))).toBe('deny');
    const shell = (command: string) =>
      verdict(
        ['shell.arbitrary'],
        { allowCapabilities },
        { command, paths: [], urls: [] },
        { tool: { riskPerCall: true } },
      );
    expect(await shell('ls')).toBe('allow');
    expect(await shell('rm -rf src')).toBe('deny');
    expect(await shell('python -c "print(1)"')).toBe('deny');
  });

  it('keeps a denial, remembers nothing and survives the unexpected', async () => {
    expect(await verdict(['fs.read'], {}, none, { tool: { permission: 'deny' } })).toBe('deny');
    await expect(policy().remember()).rejects.toMatchObject({ code: 'trust.not_offered' });
    const gone = sampleCall(join(root, 'nowhere'), none, { tool: { capabilities: ['fs.read'] } });
    expect((await policy().decide(gone)).verdict).toBe('deny');
  });

  it('gives the same answer right before the call runs', async () => {
    const call = sampleCall(project, none, { tool: { capabilities: ['fs.read'] } });
    const unattended = policy();
    const decision = await unattended.decide(call);
    expect((await unattended.recheck(call, decision, null)).verdict).toBe('allow');
  });
});

it('a base policy that throws denies', async () => {
  class Broken extends PermissionPolicy {
    override decide = async (): Promise<never> => {
      throw new Error('no');
    };
    override recheck = this.decide;
    override remember = this.decide;
  }
  const policy = new AutoApprovePermissionPolicy({ base: new Broken(), clock });
  expect(await policy.decide(sampleCall('/', none))).toMatchObject({
    verdict: 'deny',
    by: { id: 'policy.internal' },
  });
});
