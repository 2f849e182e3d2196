import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Facts } from '@wrongstack/contracts';
import { policyContext, policyDocument } from '../../spec/support/synthetic-policies.js';
import { decide } from '../decide/decide.js';
import { computeFacts } from './compute-facts.js';
import { AT_THE_KEYBOARD, sampleCall } from './sample-call.spec-support.js';

/** A rule about `secret/**` under YOLO, and calls that read a folder whole. */
describe('reading a folder with all that is below it', () => {
  let root: string;
  let project: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'recursive-')));
    project = join(root, 'shop');
    for (const folder of ['secret', 'src/lib', 'docs'])
      await mkdir(join(project, folder), { recursive: true });
    for (const file of ['secret/x', 'src/a.ts', 'README.md', 'words.txt'])
      await writeFile(join(project, file), 'INNER\n');
    await symlink('../secret', join(project, 'docs/more'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const options = () => ({
    home: join(root, 'home'),
    agentHome: join(root, 'home/.wrongstack'),
    clock: { now: () => Date.parse('2026-03-04T12:00:00Z') },
    toolchainScratch: [],
  });
  const inShell = (command: string): Promise<Facts> =>
    computeFacts(
      sampleCall(
        project,
        { command, cwd: project },
        { tool: { name: 'bash', riskPerCall: true }, session: { ...AT_THE_KEYBOARD, yolo: true } },
      ),
      options(),
    );
  const byTool = (path: string, recursive?: true): Promise<Facts> =>
    computeFacts(
      sampleCall(project, {
        paths: [{ path, access: 'read', ...(recursive && { recursive }) }],
        command: null,
        urls: [],
      }),
      options(),
    );
  const decided = (facts: Facts, glob = 'secret/**') => {
    const rule = {
      id: 'no-secrets',
      effect: 'deny',
      actions: ['fs.read'],
      when: { path: { some: [glob] } },
    } as const;
    return decide(facts, policyContext({ documents: [policyDocument({ tier: 'org', rules: [rule] })] }), []);
  };
  const isCaught = (facts: Facts, glob?: string): boolean => decided(facts, glob).by.id === 'no-secrets';

  it.each([
    'grep -r INNER .',
    'grep -r INNER',
    'grep -d recurse INNER',
    'grep --recurs INNER .',
    'grep $OPTIONS INNER .',
    'rgrep INNER',
    'rg INNER',
    'rg INNER .',
    'ag INNER',
    'tar cf - .',
    'tar -C .. -cz shop',
    'cp -r . /tmp/x',
    'cp -a ./ /tmp/x',
    'mv . /tmp/x',
    'rsync -a ./ /tmp/x',
    'zip -r /tmp/x.zip .',
    'zip -R /tmp/x.zip "*"',
    '7z a /tmp/x.7z .',
    'diff -r . /tmp',
    'find . -exec grep INNER {} +',
    'find . -type f | xargs cat',
    'cd src && grep -r INNER ..',
    'sudo grep -r INNER ..',
    'git grep INNER',
    "git grep INNER -- ':/'",
    "git grep INNER -- '*'",
    'git archive HEAD',
    'docker run -v .:/box alpine cat /box/secret/x',
    'grep -R INNER docs',
    'grep -r INNER *',
    'grep -r INNER s*',
  ])('is caught by a rule about a part of it: %s', async (command) => {
    expect(isCaught(await inShell(command))).toBe(true);
  });

  it.each([
    'grep INNER .',
    'grep INNER README.md',
    'grep -r INNER src',
    'grep -r INNER README.md',
    'grep -rf words.txt src',
    'rg INNER src',
    'tar cf - src',
    'cp -r src /tmp/x',
    'cp README.md /tmp/x',
    'find src -exec grep INNER {} +',
    'git grep INNER -- src',
    'cat *.md',
    'grep INNER *.md',
    'ls -R .',
    'find . -name x',
    'tree',
  ])('is not caught where nothing below is meant: %s', async (command) => {
    expect(isCaught(await inShell(command))).toBe(false);
  });

  it('is what a double star may be, whether the shell takes it so or not', async () => {
    expect(isCaught(await inShell('shopt -s globstar; cat src/**'), 'src/lib/deep/x')).toBe(true);
    expect(isCaught(await inShell('cat src/*'), 'src/lib/deep/x')).toBe(false);
  });

  it('is what a tool claims, of a folder alone', async () => {
    expect(isCaught(await byTool('.', true))).toBe(true);
    expect(isCaught(await byTool('..', true))).toBe(true);
    expect(isCaught(await byTool('.'))).toBe(false);
    expect(isCaught(await byTool('src', true))).toBe(false);
    expect(isCaught(await byTool('README.md', true), '**/*.pem')).toBe(false);
    expect(isCaught(await byTool('src', true), '**/*.pem')).toBe(true);
    expect(isCaught(await byTool('.', true), `${project}/secret/x`)).toBe(true);
  });

  it('says which way is open', async () => {
    const { verdict, because, matches } = decided(await byTool('.', true));
    expect(verdict).toBe('deny');
    expect(because).toContain(
      'reads below ., where rule no-secrets is about secret/**: name a narrower path',
    );
    expect(matches[0]?.on).toContain('name a narrower path');
  });
});
