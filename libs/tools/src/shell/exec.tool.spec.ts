import { access, chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createExecTool } from './exec.tool.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

describe('exec', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject({ 'a.txt': 'one\ntwo\n' });
  });
  afterEach(() => project.dispose());

  const tool = createExecTool({ environment: { PATH: process.env['PATH'], HOME: '/nonexistent' } });
  const run = (argv: readonly string[], cwd?: string) =>
    tool.execute({ argv, ...(cwd === undefined ? {} : { cwd }) }, project.ctx, toolOptions());

  it('runs a listed program with its arguments to the letter', async () => {
    expect(textOf(await run(['wc', '-l', 'a.txt']))).toBe('2 a.txt');
    expect(textOf(await run(['echo', '$HOME', '; id', '`id`', '*']))).toBe('$HOME ; id `id` *');
    expect((await run(['ls', 'missing'])).meta).toMatchObject({ exitCode: 2 });
  });

  it.each([
    ...[
      ['bash', '-c', 'id'],
      ['sh'],
      ['node', '-e', '1'],
      ['python3'],
      ['env'],
      ['xargs'],
      ['find', '.', '-delete'],
      ['nmap'],
      ['curl'],
    ],
    ...[
      ['/bin/ls'],
      ['./ls'],
      ['rm', 'a.txt'],
      ['sudo', 'ls'],
      ['npx', 'x'],
      ['tee', 'x'],
      ['awk', '1'],
      ['sed', 'e'],
      [''],
    ],
    ...[
      ['constructor'],
      ['__proto__'],
      ['npm', 'constructor'],
      ['npm', 'exec', 'x'],
      ['npm', 'install'],
      ['npm', '--script-shell=x', 'test'],
    ],
  ])('refuses %j', async (...argv) => {
    expect(await codeOfRejection(run(argv))).toMatch(/^(exec\.not_allowed|tool\.bad_input)$/);
  });

  it.each([
    ['sort', '--compress-program=./x', 'a.txt'],
    ['sort', '--compress-prog=./x', 'a.txt'],
    ['sort', '-o', 'out', 'a.txt'],
    ['sort', '-no', 'out'],
    ['npm', 'run', '--script-shell=./x', 'a'],
    ['npm', 'test', '--node-options=--require=./x'],
    ['make', 'SHELL=./x'],
    ['make', '--eval=x'],
    ['make', '-f', 'x'],
    ['go', 'test', '-exec', './x'],
    ['go', 'build', '--toolexec=./x'],
    ['cargo', '+nightly', 'build'],
    ['cargo', 'build', '--config', 'build.rustc-wrapper="./x"'],
    ['jest', '--globalSetup=./x'],
    ['jest', '-c', './x'],
    ['eslint', '-c', 'x'],
    ['eslint', '-o', 'x'],
    ['prettier', '--plugin=./x'],
    ['pytest', '-p', 'x'],
    ['pytest', '--basetemp=/'],
    ['pytest', '@args'],
    ['mypy', '--python-executable=./x'],
    ['tsc', '--outDir', '/tmp'],
    ['tsc', '@args'],
    ['date', '-s', '1'],
    ['date', '010100002030'],
  ])('refuses an option that would run, write or read more: %s %s', async (...argv) => {
    expect(await codeOfRejection(run(argv))).toBe('exec.not_allowed');
  });

  it.each([
    ['sort', '-rn', '-k2', 'a.txt'],
    ['date', '-u', '+%Y'],
    ['npm', 'ls', '--depth=0'],
  ])('takes harmless options: %s %s', async (...argv) => {
    await run(argv);
  });

  it('finds programs of the project, and only those that belong there', async () => {
    for (const name of ['tsc', 'ls']) {
      await project.write(`node_modules/.bin/${name}`, '#!/bin/sh\necho local "$@"\n');
      await chmod(project.at(`node_modules/.bin/${name}`), 0o755);
    }
    await project.write('packages/a/x.ts', '');
    expect(textOf(await run(['tsc', '--noEmit'], 'packages/a'))).toBe('local --noEmit');
    expect(textOf(await run(['ls', 'a.txt']))).toBe('a.txt');
  });

  it.each([
    ['pytest', '../out/test_x.py'],
    ['pytest', '/tmp/test_x.py::test_a'],
    ['pytest', 'link/test_x.py'],
    ['go', 'test', '../out/...'],
    ['eslint', '../out'],
  ])('runs no code from outside the project: %s %s', async (...argv) => {
    await symlink(project.outside, project.at('link'));
    expect(await codeOfRejection(run(argv))).toBe('exec.not_allowed');
  });

  it('runs a script of package.json', async () => {
    await project.write('package.json', JSON.stringify({ name: 'x', scripts: { hi: 'echo hello; exit 3' } }));
    const output = await run(['npm', 'run', '--silent', 'hi']);
    expect(textOf(output)).toBe('hello\n[exit code: 3]');
    await expect(access(join(project.root, 'package-lock.json'))).rejects.toThrow();
  });

  it('claims its words as an argument vector', () => {
    expect(tool.describeCall?.({ argv: ['ls', 'a b'] }, { cwd: '/ws', projectRoot: '/ws' })).toEqual({
      paths: [],
      command: ['ls', 'a b'],
      cwd: '/ws',
      urls: [],
    });
  });
});
