import { existsSync } from 'node:fs';
import { chmod, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { RichToolOutput, Tool, ToolStreamEvent } from '@wrongstack/contracts';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { projectTools } from './project-tools.js';

const ownPrograms = resolve(import.meta.dirname, '../../../../node_modules/.bin');
const tools = projectTools({
  environment: { PATH: [process.env['PATH'], ownPrograms].join(delimiter), HOME: process.env['HOME'] },
});
const claimContext = { cwd: '/ws', projectRoot: '/ws' };

function named(name: string): Tool<object, RichToolOutput> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

describe('the tools of a project', () => {
  let project: TestProject;
  const run = (name: string, input: object = {}) => named(name).execute(input, project.ctx, toolOptions());
  afterEach(() => project.dispose());

  /** A program of the project: it notes its arguments one a line, prints, and ends with a code. */
  async function program(name: string, output = '', exitCode = 0): Promise<void> {
    const script = `#!/bin/sh\nfor word in "$@"; do echo "$word"; done > '${project.at(`ran-${name}`)}'\ncat <<'END'\n${output}\nEND\nexit ${exitCode}\n`;
    await project.write(`node_modules/.bin/${name}`, script);
    await chmod(project.at(`node_modules/.bin/${name}`), 0o755);
  }
  const words = async (name: string): Promise<readonly string[]> =>
    (await readFile(project.at(`ran-${name}`), 'utf8')).split('\n').filter((word) => word !== '');

  describe('find the program by the files of the project', () => {
    const manifest = (more: object): string => JSON.stringify({ name: 'x', ...more });
    it.each<[string, string, Record<string, string>, object, string]>([
      [
        'lint',
        'its own script',
        { 'package.json': manifest({ scripts: { lint: 'eslint .' } }) },
        {},
        'npm run lint',
      ],
      [
        'lint',
        'the script by the package manager of the lock file',
        { 'package.json': manifest({ scripts: { lint: 'x' } }), 'pnpm-lock.yaml': '' },
        {},
        'pnpm run lint',
      ],
      [
        'lint',
        'eslint by its configuration',
        { 'package.json': manifest({}), 'eslint.config.mjs': '' },
        {},
        'eslint -- .',
      ],
      [
        'lint',
        'eslint where a path is given, because a script would put it into a shell',
        {
          'package.json': manifest({ scripts: { lint: 'x' }, devDependencies: { eslint: '9' } }),
          'a.ts': '',
        },
        { path: 'a.ts', fix: true },
        'eslint --fix -- ./a.ts',
      ],
      ['lint', 'biome', { 'biome.json': '{}' }, {}, 'biome lint -- .'],
      [
        'lint',
        'ruff',
        { 'pyproject.toml': '[tool.ruff.lint]\n' },
        {},
        'ruff check --output-format=concise -- .',
      ],
      ['lint', 'go vet', { 'go.mod': '' }, {}, 'go vet ./...'],
      ['lint', 'clippy', { 'Cargo.toml': '' }, {}, 'cargo clippy --message-format=short'],
      ['format', 'prettier', { '.prettierrc.json': '{}' }, { check: true }, 'prettier --check -- .'],
      ['format', 'black', { 'pyproject.toml': '[tool.black]\n' }, {}, 'black -- .'],
      ['format', 'gofmt', { 'go.mod': '' }, {}, 'gofmt -w .'],
      ['format', 'cargo fmt', { 'Cargo.toml': '' }, {}, 'cargo fmt'],
      ['typecheck', 'tsc', { 'tsconfig.json': '{}' }, {}, 'tsc --noEmit --pretty false'],
      ['typecheck', 'mypy', { 'mypy.ini': '' }, {}, 'mypy --no-color-output -- .'],
      [
        'test',
        'jest',
        { 'package.json': manifest({ devDependencies: { jest: '30' } }) },
        { filter: 'a b' },
        'jest --ci --testNamePattern=a b',
      ],
      ['test', 'vitest', { 'vitest.config.ts': '' }, {}, 'vitest run'],
      ['test', 'pytest', { 'pytest.ini': '' }, { filter: 'x' }, 'pytest -q --no-header --color=no -kx'],
      ['test', 'go test', { 'go.mod': '' }, {}, 'go test ./...'],
      ['test', 'cargo test', { 'Cargo.toml': '' }, {}, 'cargo test'],
      ['test', 'maven', { 'pom.xml': '' }, {}, 'mvn -B -q test'],
      ['test', 'make', { Makefile: 'test:\n\ttrue\n' }, {}, 'make test'],
      [
        'test',
        'node, not the script that only says that there is none',
        { 'package.json': manifest({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
        {},
        'node --test',
      ],
      ['audit', 'npm', { 'package.json': manifest({}) }, {}, 'npm audit --json'],
      [
        'audit',
        'yarn 2 and later',
        { 'package.json': manifest({ packageManager: 'yarn@4.1.0' }) },
        {},
        'yarn npm audit --json',
      ],
      [
        'outdated',
        'pnpm',
        { 'package.json': manifest({}), 'pnpm-lock.yaml': '' },
        {},
        'pnpm outdated --format json',
      ],
      [
        'install',
        'npm without scripts',
        { 'package.json': manifest({}) },
        {},
        'npm install --ignore-scripts',
      ],
      [
        'install',
        'npm with a package',
        { 'package.json': manifest({}) },
        { packages: ['@a/b@^1.2.0'], dev: true },
        'npm install --ignore-scripts --save-dev -- @a/b@^1.2.0',
      ],
      [
        'install',
        'yarn',
        { 'package.json': manifest({}), 'yarn.lock': '' },
        { packages: ['x'], allow_scripts: true },
        'yarn add -- x',
      ],
      [
        'install',
        'bun',
        { 'package.json': manifest({}), 'bun.lock': '' },
        { packages: ['x'] },
        'bun add --ignore-scripts -- x',
      ],
      [
        'install',
        'pip',
        { 'requirements.txt': '' },
        { packages: ['x[y]==1.0'] },
        'pip --disable-pip-version-check install --only-binary=:all: -- x[y]==1.0',
      ],
    ])('%s: %s', async (tool, _title, files, input, command) => {
      project = await createTestProject(files);
      const [name = ''] = command.split(' ');
      await program(name);
      expect(textOf(await run(tool, input)).split(':')[0]).toBe(command.split(':')[0]);
      expect((await words(name)).join(' ')).toBe(command.split(' ').slice(1).join(' '));
      // Whatever runs was claimed, whether the runner was named or found.
      const claimed = named(tool).describeCall?.(input, claimContext).command;
      const unquoted = String(claimed).replace(/'/g, '');
      expect(unquoted.split('; ')).toContain(command);
    });

    it('looks into the folders above, up to the root of the project', async () => {
      project = await createTestProject({
        'eslint.config.mjs': '',
        'packages/a/b.ts': '',
        'package.json': '{}',
      });
      await program('eslint');
      expect(textOf(await run('lint', { cwd: 'packages/a' }))).toBe('eslint -- .: no findings');
    });

    it('say when there is none, and when the named one is unknown or cannot do it', async () => {
      project = await createTestProject({ 'a.txt': '' });
      expect(await codeOfRejection(run('lint'))).toBe('project.no_runner');
      expect(await codeOfRejection(run('lint', { runner: 'rm' }))).toBe('tool.bad_input');
      expect(await codeOfRejection(run('lint', { runner: 'cargo', path: 'a.txt' }))).toBe('project.not_able');
    });
  });

  it('never put a path into a shell, nor where an option could stand', async () => {
    const odd = ['a$(touch CANARY).ts', '--plugin=x.ts', 'b;touch CANARY.ts', "c' d.ts"];
    project = await createTestProject({
      '.prettierrc': '{}',
      ...Object.fromEntries(odd.map((name) => [name, 'x'])),
    });
    await program('prettier');
    for (const path of odd) {
      await run('format', { path });
      expect(await words('prettier')).toEqual(['--write', '--', `./${path}`]);
      expect(named('format').describeCall?.({ path, runner: 'prettier' }, claimContext)).toEqual({
        paths: [
          { path, access: 'read' },
          { path, access: 'write' },
        ],
        command: ['prettier', '--write', '--', `./${path}`],
        cwd: '/ws',
        urls: [],
      });
    }
    expect((await readdir(project.root)).some((name) => name.startsWith('CANARY'))).toBe(false);
  });

  it('work on nothing outside the project, and on nothing that does not exist', async () => {
    project = await createTestProject({ '.prettierrc': '{}' });
    await writeFile(join(project.outside, 'o.ts'), '');
    await symlink(project.outside, project.at('out'));
    for (const path of [join(project.outside, 'o.ts'), '../out/o.ts', 'out/o.ts']) {
      expect(await codeOfRejection(run('format', { path }))).toBe('path.outside');
    }
    expect(await codeOfRejection(run('format', { cwd: '..' }))).toBe('path.outside');
    expect(await codeOfRejection(run('format', { path: '**/*.ts' }))).toBe('fs.not_found');
  });

  it.each([
    '-g',
    'git+https://example.com/x',
    'user/repo',
    'file:../x',
    './x',
    'x.tgz',
    '../x',
    'x y',
    'npm:y',
    'https://example.com/x.js',
  ])('install nothing but registry packages: not %s', async (name) => {
    project = await createTestProject({ 'package.json': '{}' });
    await program('npm');
    expect(await codeOfRejection(run('install', { packages: [name] }))).toBe('tool.bad_input');
    expect(existsSync(project.at('ran-npm'))).toBe(false);
  });

  it('claim every command that they could come to, and one when its runner is named', () => {
    const { command, paths, urls } = named('lint').describeCall?.({}, claimContext) ?? {};
    expect(String(command).split('; ')).toEqual([
      ...['npm', 'pnpm', 'yarn', 'bun'].map((manager) => `${manager} run lint`),
      'eslint -- .',
      'biome lint -- .',
      'ruff check --output-format=concise -- .',
      'go vet ./...',
      'cargo clippy --message-format=short',
    ]);
    expect([paths, urls]).toEqual([[{ path: '.', access: 'read' }], []]);
    expect(named('install').describeCall?.({ runner: 'npm' }, claimContext)).toEqual({
      paths: [
        { path: '.', access: 'read' },
        { path: '.', access: 'write' },
      ],
      command: ['npm', 'install', '--ignore-scripts'],
      cwd: '/ws',
      urls: ['https://registry.npmjs.org/'],
    });
  });

  it('say in short what a linter found, and keep the numbers', async () => {
    project = await createTestProject({ 'eslint.config.mjs': '' });
    const report =
      '/ws/src/a.ts\n  1:7   error    x is unused       no-unused-vars\n  2:1   warning  Odd\n\n✖ 2 problems';
    await program('eslint', report, 1);
    const output = await run('lint');
    expect(textOf(output)).toBe(
      'eslint -- .: 1 error, 1 warning in 1 file\n' +
        '/ws/src/a.ts:1:7 error: x is unused · no-unused-vars\n/ws/src/a.ts:2:1 warning: Odd\n[exit code: 1]',
    );
    expect(output.meta).toMatchObject({
      runner: 'eslint',
      exitCode: 1,
      counts: { errors: 1, warnings: 1, files: 1 },
    });
    expect(
      named('lint').presentResult?.({}, { content: output.content, isError: false, meta: output.meta }),
    ).toMatchObject({
      card: 'terminal',
      title: 'eslint -- .',
      exitCode: 1,
    });
    expect(named('lint').presentCall?.({ path: 'a.ts', fix: true })).toEqual({
      card: 'terminal',
      title: 'lint a.ts fix',
    });
  });

  it('show the output of a program that failed in a way nobody knows', async () => {
    project = await createTestProject({ 'eslint.config.mjs': '' });
    await program('eslint', 'Oops: no configuration', 2);
    expect(textOf(await run('lint'))).toBe('eslint -- .: failed\n\nOops: no configuration\n[exit code: 2]');
  });

  it('stream what a program prints, then one result', async () => {
    project = await createTestProject({ 'eslint.config.mjs': '' });
    await program('eslint', 'all good');
    const events: ToolStreamEvent[] = [];
    for await (const event of named('lint').executeStream?.({}, project.ctx, toolOptions()) ?? [])
      events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['log', 'partial_output', 'final']);
    expect(events[0]).toEqual({ type: 'log', text: 'running eslint -- .' });
  });

  it('stop a program that takes too long, and one that is interrupted', async () => {
    project = await createTestProject({ 'eslint.config.mjs': '' });
    await project.write('node_modules/.bin/eslint', '#!/bin/sh\necho started\nexec sleep 30\n');
    await chmod(project.at('node_modules/.bin/eslint'), 0o755);
    expect(textOf(await run('lint', { timeoutMs: 300 }))).toContain(
      '[timed out after 300 ms and was stopped]',
    );
    await project.write('node_modules/.bin/eslint', '#!/bin/sh\n: > started\nexec sleep 30\n');
    const abort = new AbortController();
    const running = named('lint').execute({}, project.ctx, toolOptions({ signal: abort.signal }));
    // On a busy machine it is a while before there is anything to interrupt.
    while (!existsSync(project.at('started'))) await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    const output = await running;
    expect(output).toMatchObject({ isError: true });
    expect(textOf(output)).toContain('[interrupted');
  });

  describe('with the programs themselves', () => {
    it('run the tests of node', async () => {
      project = await createTestProject({
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'a.test.js':
          "import test from 'node:test';\nimport assert from 'node:assert';\ntest('adds', () => {});\ntest('fails', () => {\n  assert.equal(1, 2);\n});\n",
      });
      for (const input of [{}, { path: 'a.test.js', runner: 'node' }]) {
        const output = await run('test', input);
        expect(output.meta).toMatchObject({ exitCode: 1, counts: { passed: 1, failed: 1 } });
        expect(textOf(output)).toMatch(/failed: fails \(.*a\.test\.js:\d+\)/);
      }
    });

    it('check types with tsc', async () => {
      project = await createTestProject({
        'tsconfig.json': '{"compilerOptions":{"types":[],"lib":["es5"],"strict":true},"include":["*.ts"]}',
        'a.ts': "export const n: number = 'x';\n",
      });
      const output = await run('typecheck');
      expect(output.meta).toMatchObject({ counts: { errors: 1 } });
      expect(textOf(output)).toMatch(/a\.ts:1:14 error: TS2322/);
    }, 30_000);

    it('format with prettier, the named file alone', async () => {
      project = await createTestProject({
        '.prettierrc': '{}',
        'a$(touch CANARY).js': 'x  =  1',
        'b.js': 'y  =  1',
      });
      expect(textOf(await run('format', { check: true }))).toContain('b.js warning: not formatted');
      await run('format', { path: 'a$(touch CANARY).js' });
      expect(await readFile(project.at('a$(touch CANARY).js'), 'utf8')).toBe('x = 1;\n');
      expect(await readFile(project.at('b.js'), 'utf8')).toBe('y  =  1');
      expect(existsSync(project.at('CANARY'))).toBe(false);
    }, 30_000);
  });
});
