import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

describe('count-reporter', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'counts-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs jest in a project named `sample` and returns what the reporter wrote. */
  function count(suites: Record<string, string>): unknown {
    const project = path.join(folder, 'sample');
    mkdirSync(project);
    for (const [name, text] of Object.entries(suites)) writeFileSync(path.join(project, name), text);
    const reporter = [path.join(root, 'tools/count-reporter.cjs'), { folder }];
    const config = { rootDir: project, reporters: [reporter], testMatch: ['**/*.test.js'], transform: {} };
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    const args = [
      jest,
      '-w',
      '1',
      '--passWithNoTests',
      '--watchman=false',
      '--config',
      JSON.stringify(config),
    ];
    spawnSync(process.execPath, args, {
      cwd: project,
      encoding: 'utf8',
      // This spec itself runs under Nx, whose name for it is not the sample's.
      env: { ...process.env, NX_TASK_TARGET_PROJECT: undefined },
    });
    return JSON.parse(readFileSync(path.join(folder, 'sample.json'), 'utf8'));
  }

  it('counts tests, not suites', () => {
    const text =
      "it('a', () => {}); it('b', () => {}); it('c', () => { throw new Error('no'); }); it.skip('d', () => {});";

    expect(count({ 'one.test.js': text, 'two.test.js': "it('e', () => {});" })).toEqual({
      project: 'sample',
      passed: 3,
      failed: 1,
      skipped: 1,
    });
  });

  it('counts a suite that cannot be loaded as a failure', () => {
    expect(count({ 'one.test.js': "require('./missing.js');" })).toMatchObject({ passed: 0, failed: 1 });
  });

  it('says nothing passed where there is nothing', () => {
    expect(count({})).toMatchObject({ passed: 0, failed: 0 });
  });
});
