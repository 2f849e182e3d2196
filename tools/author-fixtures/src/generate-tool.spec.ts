import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { bin, type Ended, fixtures, node, root } from './run-program.spec-support.js';

// Compilers, linters and test runners of their own, one after the other.
jest.setTimeout(180_000);

const generator = path.join(root, 'tools/generators/generate-tool.mjs');
const generate = (...args: string[]): Ended => node([generator, ...args], root);
const clean: Ended = { status: 0, stdout: '', stderr: '' };

/** A generated tool passes every check as it is, before anybody has touched it. */
describe('generate:tool', () => {
  let work: string;
  beforeEach(() => {
    // Inside of the workspace, so that packages are found; ignored by git, prettier and the linter.
    const all = path.join(fixtures, '.generated');
    mkdirSync(all, { recursive: true });
    work = mkdtempSync(path.join(all, 'run-'));
    write('package.json', { type: 'module' });
    symlinkSync(path.join(root, 'tsconfig.base.json'), path.join(work, 'tsconfig.base.json'));
    writeFileSync(
      path.join(work, 'jest.preset.js'),
      `export { default } from ${JSON.stringify(path.join(root, 'jest.preset.js'))};\n`,
    );
  });
  afterEach(() => {
    rmSync(work, { recursive: true });
  });

  const write = (file: string, content: unknown): void =>
    writeFileSync(path.join(work, file), JSON.stringify(content));
  const typecheck = (config: string): Ended =>
    node([bin('typescript7/bin/tsc'), '-p', path.join(work, config)]);
  const format = (folder: string): Ended =>
    node([
      bin('prettier/bin/prettier.cjs'),
      '--check',
      '--log-level',
      'error',
      '--ignore-path',
      '/dev/null',
      folder,
    ]);
  const lint = (folder: string): Ended =>
    node([bin('eslint/bin/eslint.js'), '--no-ignore', '--max-warnings=0', folder], root);
  const jest = (project: string, ...args: string[]): Ended =>
    node([bin('jest/bin/jest.js'), '-w', '1', '--ci', ...args], project);

  it('makes a tool of our own library', () => {
    const library = path.join(work, 'libs/tools');
    // What a tool builds on, without the other tools.
    for (const part of ['authoring', 'paths', 'text', 'test-context.spec-support.ts']) {
      cpSync(path.join(root, 'libs/tools/src', part), path.join(library, 'src', part), {
        recursive: true,
        filter: (file) => !file.endsWith('.spec.ts'),
      });
    }
    for (const file of ['jest.config.cjs', 'tsconfig.json', 'tsconfig.spec.json'])
      cpSync(path.join(root, 'libs/tools', file), path.join(library, file));

    const folder = path.join(library, 'src/text/count_lines');
    expect(generate('count_lines', '--in', folder)).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('add countLinesTool to libs/tools/src/built-in-tools.ts'),
    });

    expect(readdirSync(folder).sort()).toEqual(['count-lines.tool.spec.ts', 'count-lines.tool.ts']);
    expect(typecheck('libs/tools/tsconfig.spec.json')).toEqual(clean);
    expect(format(folder)).toEqual(clean);
    expect(lint(folder)).toEqual(clean);
    expect(jest(library, 'count-lines')).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^Tests: +11 passed, 11 total$/m),
    });
    expect(rulesByPlace(folder, 'count-lines.tool.ts')).toEqual([[]]);
  });

  it.each(['jest', 'vitest'] as const)('makes a tool of an author outside, tested by %s', (runner) => {
    const folder = path.join(work, 'src');
    expect(generate('my-counter', '--in', folder, '--runner', runner)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('api.tools.register(myCounterTool)'),
    });
    const types = runner === 'jest' ? ['node', 'jest'] : ['node'];
    write('tsconfig.json', {
      extends: './tsconfig.base.json',
      compilerOptions: { composite: false, noEmit: true, types },
      include: ['src/**/*.ts'],
    });

    expect(typecheck('tsconfig.json')).toEqual(clean);
    expect(format(folder)).toEqual(clean);
    if (runner === 'jest') {
      // The other one differs by an import only, and linting with types is what takes long.
      expect(lint(folder)).toEqual(clean);
      writeFileSync(path.join(work, 'jest.config.cjs'), "module.exports = { preset: './jest.preset.js' };\n");
      expect(jest(work)).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(/^Tests: +11 passed, 11 total$/m),
      });
    } else {
      cpSync(path.join(fixtures, 'vitest.config.mjs'), path.join(work, 'vitest.config.mjs'));
      const run = node(
        [bin('vitest/vitest.mjs'), 'run', '--root', work, '--config', 'vitest.config.mjs'],
        work,
      );
      expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests +11 passed \(11\)/) });
    }
  });

  it.each([
    [[], 'name one tool'],
    [['one', 'two'], 'name one tool'],
    [['Counter'], '"Counter" is no tool name'],
    [['../escape'], 'is no tool name'],
    [['counter', '--runner', 'mocha'], '"mocha" is no test runner'],
    [['counter', '--force'], '--force'],
  ])('refuses %j and says why', (args, says) => {
    expect(generate(...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^generate:tool: .*${says}.*\n[^]*usage: `)),
    });
  });

  it('overwrites nothing', () => {
    const folder = path.join(work, 'src');
    generate('counter', '--in', folder);
    rmSync(path.join(folder, 'counter.tool.ts'));
    expect(generate('counter', '--in', folder)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('counter.tool.spec.ts exists: nothing was written'),
    });
    expect(readdirSync(folder)).toEqual(['counter.tool.spec.ts']);
  });
});

/** Rules that go by a file's place see the text as if it lay where the generator puts it. */
function rulesByPlace(folder: string, file: string): unknown {
  const script = `
    const { readFileSync } = require('node:fs');
    process.stdout.write(JSON.stringify([{ file: 'libs/tools/src/count-lines/${file}', text: readFileSync(process.argv[1], 'utf8') }]))`;
  const input = node(['--eval', script, path.join(folder, file)]).stdout;
  const { stdout } = spawnSync(process.execPath, [path.join(root, 'tools/workspace-checks/lint-texts.mjs')], {
    cwd: root,
    encoding: 'utf8',
    input,
  });
  return JSON.parse(stdout);
}
