import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createDiffTool, type DiffInput } from './diff.tool.js';

const tool = createDiffTool({ environment: { PATH: process.env['PATH'], HOME: '/nonexistent' } });

describe('diff', () => {
  let project: TestProject;
  const run = (input: DiffInput) => tool.execute(input, project.ctx, toolOptions());
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: project.root, stdio: 'ignore' });
  };
  beforeEach(async () => {
    project = await createTestProject({
      'a.txt': '1\n2\n3\n',
      'b.txt': '1\ntwo\n3\n',
      'c.txt': '1\r\n2\r\n3\r\n',
    });
  });
  afterEach(() => project.dispose());

  it('compares two files', async () => {
    const output = await run({ path: 'a.txt', other: 'b.txt', context: 0 });
    expect(textOf(output)).toBe('--- a.txt\n+++ b.txt\n@@ -2,1 +2,1 @@\n-2\n+two');
    expect(output.meta).toEqual({ added: 1, removed: 1 });
  });

  it('says when nothing or only the line endings differ', async () => {
    expect(textOf(await run({ path: 'a.txt', other: 'a.txt' }))).toBe('[no differences]');
    expect(textOf(await run({ path: 'a.txt', other: 'c.txt' }))).toBe('[only line endings differ]');
  });

  it('compares with the last commit and with the index', async () => {
    git('init', '-q');
    git('add', 'a.txt');
    git('commit', '-q', '-m', 'x');
    await writeFile(project.at('a.txt'), '1\n2\n3\n4\n');
    git('add', 'a.txt');
    await writeFile(project.at('a.txt'), '1\n2\n3\n4\n5\n');
    expect((await run({ path: 'a.txt' })).meta).toEqual({ added: 2, removed: 0 });
    expect((await run({ path: 'a.txt', ref: 'index' })).meta).toEqual({ added: 1, removed: 0 });
    expect(textOf(await run({ path: 'b.txt' }))).toContain('--- /dev/null');
  });

  it('runs nothing that the configuration of a repository names', async () => {
    git('init', '-q');
    await writeFile(project.at('.gitattributes'), '*.txt diff=evil filter=evil\n');
    git('add', 'a.txt');
    git('commit', '-q', '-m', 'x');
    for (const key of [
      'diff.evil.textconv',
      'diff.evil.command',
      'diff.external',
      'filter.evil.smudge',
      'core.fsmonitor',
    ]) {
      git('config', key, `touch ${project.at('CANARY')}; cat`);
    }
    await writeFile(project.at('a.txt'), 'x\n');
    await run({ path: 'a.txt' });
    expect(existsSync(project.at('CANARY'))).toBe(false);
  });

  it.each(['-p', '--output=x', 'HEAD:secret', 'a..b', 'a b', ':/x'])('refuses %j as a ref', async (ref) => {
    expect(await codeOfRejection(run({ path: 'a.txt', ref }))).toBe('tool.bad_input');
  });

  it('says what is wrong: no repository, no file, both kinds of comparison', async () => {
    expect(await codeOfRejection(run({ path: 'a.txt' }))).toBe('diff.git_failed');
    expect(await codeOfRejection(run({ path: 'none', other: 'a.txt' }))).toBe('fs.not_found');
    expect(await codeOfRejection(run({ path: 'a.txt', other: 'b.txt', ref: 'HEAD' }))).toBe('tool.bad_input');
  });

  it('claims both files, or the file and the git command that it runs', () => {
    const ctx = { cwd: '/ws', projectRoot: '/ws' };
    expect(tool.describeCall?.({ path: 'a.txt', other: 'b.txt' }, ctx)).toEqual({
      paths: [
        { path: 'a.txt', access: 'read' },
        { path: 'b.txt', access: 'read' },
      ],
      command: null,
      cwd: '/ws',
      urls: [],
    });
    expect(tool.describeCall?.({ path: 'sub/a.txt', ref: 'index' }, ctx)).toEqual({
      paths: [{ path: 'sub/a.txt', access: 'read' }],
      command: ['git', 'cat-file', 'blob', ':./a.txt'],
      cwd: '/ws/sub',
      urls: [],
    });
  });
});
