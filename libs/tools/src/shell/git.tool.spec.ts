import { chmod, readdir } from 'node:fs/promises';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createBashTool } from './bash.tool.js';
import type { GitInput } from './git-arguments.js';
import { createGitTool } from './git.tool.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

describe('git', () => {
  let project: TestProject;
  const environment = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    GIT_EXTERNAL_DIFF: '/bin/false',
    GIT_DIR: '/nonexistent',
  };
  const tool = createGitTool({ environment });
  const git = (args: readonly string[], more: Partial<GitInput> = {}) =>
    tool.execute({ args, ...more }, project.ctx, toolOptions());
  const setUp = (command: string) =>
    createBashTool({ environment }).execute({ command }, project.ctx, toolOptions());

  beforeEach(async () => {
    project = await createTestProject({ 'a.txt': 'one\n' });
    await setUp('git init -q -b main . && git add a.txt && git commit -qm first');
  });
  afterEach(() => project.dispose());

  it('shows, adds, commits and compares', async () => {
    await project.write('a.txt', 'two\n');
    expect(textOf(await git(['status', '--short']))).toBe(' M a.txt');
    expect(textOf(await git(['diff', '--stat'], { paths: ['a.txt'] }))).toContain('1 file changed');
    await git(['add', '-A']);
    await git(['commit', '-m', 'second']);
    expect(textOf(await git(['log', '--oneline', '-5'], { ref: 'main' }))).toMatch(/second\n.*first$/);
    expect(textOf(await git(['show', '--name-only', '--format=%s'], { ref: 'HEAD~1' }))).toContain('first');
    expect((await git(['rev-parse', '--verify'], { ref: 'nothing' })).meta).toMatchObject({ exitCode: 128 });
  });

  it.each<[string, (out: string) => readonly [readonly string[], Partial<GitInput>]]>([
    ['a path', (out) => [['log'], { ref: 'HEAD', paths: [`--output=${out}/CANARY`] }]],
    ['a ref of a fetch', (out) => [['fetch'], { ref: `--upload-pack=touch ${out}/CANARY` }]],
    ['a ref behind a blank', (out) => [['log'], { ref: ` --output=${out}/CANARY` }]],
    [
      'a ref behind an end of options',
      (out) => [['diff'], { ref: `--end-of-options --output=${out}/CANARY` }],
    ],
    ['a path of a diff without index', (out) => [['diff'], { paths: ['a.txt', `-O${out}/CANARY`] }]],
  ])('takes no option from %s', async (_what, input) => {
    const [args, more] = input(project.outside);
    // Refused, or nothing found of that name: either is well.
    await git(args, more).catch((error: unknown) => error);
    expect(await readdir(project.outside)).toEqual([]);
  });

  it('takes a ref that starts with a dash for no option', async () => {
    for (const ref of ['--output=x', `--output=${project.outside}/CANARY`, '-Oevil', '-']) {
      expect(await codeOfRejection(git(['log'], { ref }))).toBe('git.bad_ref');
    }
    for (const ref of ['', 'a b', 'a\nb', 'ext::sh -c id']) {
      expect(await codeOfRejection(git(['log'], { ref }))).toMatch(/^(git\.bad_ref|tool\.bad_input)$/);
    }
    expect(await readdir(project.outside)).toEqual([]);
  });

  it('takes paths that start with a dash for paths', async () => {
    await project.write('--output=CANARY', 'x\n');
    expect(textOf(await git(['status', '--short'], { paths: ['--output=CANARY'] }))).toBe(
      '?? --output=CANARY',
    );
    expect(await codeOfRejection(git(['log', '--', 'a.txt'], { paths: ['a.txt'] }))).toBe('tool.bad_input');
  });

  it.each([
    ...[
      ['-c', 'core.fsmonitor=./x', 'status'],
      ['--exec-path=.', 'status'],
      ['-C', '/', 'status'],
      ['config', 'a.b', 'c'],
      ['--git-dir=x'],
    ],
    ...[
      ['difftool'],
      ['mergetool'],
      ['filter-branch'],
      ['submodule', 'update'],
      ['gc'],
      ['daemon'],
      ['clone', 'x'],
      ['x'],
      [],
      ['constructor'],
    ],
    ...[
      ['log', '--output=x'],
      ['diff', '--ext-diff'],
      ['log', '--textconv'],
      ['diff', '--outpu=x'],
      ['diff', '--no-index', '/etc/passwd', 'a.txt'],
    ],
    ...[
      ['rebase', '--exec', 'id'],
      ['rebase', '-x', 'id'],
      ['rebase', '-i'],
      ['fetch', '--upload-pack=x'],
      ['push', '--receive-pack=x'],
      ['push', '--exec=x'],
    ],
    ...[
      ['fetch', 'ext::sh -c id'],
      ['pull', 'ext::sh'],
      ['remote', 'add', 'x', 'y'],
      ['remote', 'set-url', 'x', 'y'],
      ['reflog', 'expire'],
      ['commit', '--gpg-sign=x'],
    ],
  ])('refuses %j', async (...args) => {
    expect(await codeOfRejection(git(args))).toBe('git.not_allowed');
  });

  it('runs none of the programs that a repository configures', async () => {
    const canary = `touch ${project.outside}/CANARY`;
    await project.write('evil.sh', `#!/bin/sh\n${canary}\ncat "$1" 2>/dev/null\n`);
    await chmod(project.at('evil.sh'), 0o755);
    await setUp(
      [
        'for hook in pre-commit post-commit post-checkout commit-msg; do cp evil.sh .git/hooks/$hook; done',
        'git config diff.external ./evil.sh; git config diff.evil.textconv ./evil.sh; git config diff.evil.command ./evil.sh',
        'git config core.pager ./evil.sh; git config core.editor ./evil.sh; git config core.fsmonitor ./evil.sh',
        'printf "*.txt diff=evil\\n" > .gitattributes',
      ].join('\n'),
    );
    await project.write('a.txt', 'two\n');
    for (const args of [
      ['status'],
      ['diff'],
      ['diff', '-p', 'HEAD'],
      ['log', '-p'],
      ['show'],
      ['blame', 'a.txt'],
      ['add', 'a.txt'],
      ['commit', '-m', 'x'],
      ['commit', '--amend'],
      ['switch', '-c', 'other'],
      ['stash', 'list'],
    ]) {
      await git(args);
    }
    expect(await readdir(project.outside)).toEqual([]);
    expect(textOf(await git(['log', '--oneline']))).toContain('x');
  });

  it('does not take files in the tree for a repository', async () => {
    await setUp(
      'mkdir -p bare/objects bare/refs && echo "ref: refs/heads/x" > bare/HEAD && printf "[core]\\nbare=true\\n" > bare/config',
    );
    const ctx = { ...project.ctx, cwd: project.at('bare') };
    const output = await tool.execute({ args: ['status'] }, ctx, toolOptions());
    expect(textOf(output)).toContain('safe.bareRepository');
  });

  it('claims the vector that it runs', () => {
    const claim = (input: unknown) =>
      tool.describeCall?.(input as GitInput, { cwd: '/ws', projectRoot: '/ws' }).command;
    expect(claim({ args: ['push', '--force'], ref: 'main' })).toEqual(['git', 'push', '--force', 'main']);
    expect(claim({ args: ['diff'], paths: ['-x'] })).toEqual([
      'git',
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      '--',
      '-x',
    ]);
    expect(claim({ args: 'status' })).toEqual(['git']);
    expect(claim(null)).toEqual(['git']);
  });
});
