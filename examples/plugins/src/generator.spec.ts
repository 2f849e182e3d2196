import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, Wstack } from './wstack.spec-support.js';

const generator = path.join(root, 'tools/generators/generate-plugin.mjs');
const tsc = path.join(root, 'node_modules/typescript7/bin/tsc');

/** A generated plugin passes every check as it is, before anybody has touched it. */
describe('generate:plugin', () => {
  let work: string;
  beforeEach(() => {
    // Inside of the workspace, so that packages are found; ignored by git, prettier and the linter.
    const all = path.join(root, 'tools/author-fixtures/.generated');
    mkdirSync(all, { recursive: true });
    work = mkdtempSync(path.join(all, 'plugin-'));
  });
  afterEach(() => rmSync(work, { recursive: true }));

  const node = (args: readonly string[], cwd = root) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
    });
    return { status, stdout, stderr };
  };
  const generate = (...args: readonly string[]) => node([generator, ...args]);

  it('makes a plugin that compiles, passes its own test, and passes the check', async () => {
    expect(generate('line-counter', '--in', work)).toMatchObject({ status: 0, stderr: '' });
    const plugin = path.join(work, 'line-counter');
    // As outside of the workspace: against what is published, with no condition of ours.
    expect(node([tsc, '-p', plugin])).toEqual({ status: 0, stdout: '', stderr: '' });
    const jest = { preset: path.join(root, 'jest.preset.js'), rootDir: plugin };
    writeFileSync(path.join(plugin, 'jest.config.json'), JSON.stringify(jest));
    const tested = node([path.join(root, 'node_modules/jest/bin/jest.js'), '-w', '1', '--ci'], plugin);
    expect([tested.status, tested.stderr]).toEqual([0, expect.stringContaining('2 passed')]);
    rmSync(path.join(plugin, 'jest.config.json'));

    const wstack = new Wstack();
    try {
      expect(await wstack.run(['plugin', 'check', plugin])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('uses what it declared'),
      });
    } finally {
      wstack.remove();
    }
  });

  it('makes a plugin that compiles elsewhere too, by the types of this repository', () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'wstack-plugin-'));
    try {
      expect(generate('mine', '--in', elsewhere)).toMatchObject({ status: 0, stderr: '' });
      const plugin = path.join(elsewhere, 'mine');
      expect(node([tsc, '-p', plugin])).toEqual({ status: 0, stdout: '', stderr: '' });
      expect(existsSync(path.join(plugin, 'dist/index.js'))).toBe(true);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('writes over nothing', () => {
    generate('mine', '--in', work, '--runner', 'vitest');
    expect(existsSync(path.join(work, 'mine/src/index.spec.ts'))).toBe(true);
    expect(generate('mine', '--in', work)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('exists: nothing was written'),
    });
  });

  it.each([
    [[], 'name one plugin'],
    [['Mine', '--in', '.'], 'is no plugin name'],
    [['../mine', '--in', '.'], 'is no plugin name'],
    [['mine'], 'say where'],
    [['mine', '--in', '.', '--runner', 'mocha'], 'no test runner'],
    [['mine', '--what'], 'Unknown option'],
  ])('says what is wrong with %j', (args, message) => {
    expect(generate(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  });
});
