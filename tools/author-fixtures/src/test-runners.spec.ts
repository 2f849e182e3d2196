import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fixtures, node } from './run-program.spec-support.js';

/** jest itself runs the shims in every other spec of this folder. */
describe('the guides’ tests and our shims under other test runners', () => {
  it('passes under vitest', () => {
    const files = ['guide/tests/echo.test.ts', 'plugin/tests/my-plugin.test.ts', 'runners/shims.vitest.ts'];
    const include = JSON.stringify(files);
    const script = `
      import { startVitest } from 'vitest/node';
      const vitest = await startVitest('test', [], {
        root: ${JSON.stringify(fixtures)}, config: 'vitest.config.mjs', include: ${include},
        watch: false, reporters: ['json'], outputFile: process.argv[1],
      });
      await vitest.close();`;
    const folder = mkdtempSync(path.join(tmpdir(), 'vitest-report-'));
    const report = path.join(folder, 'report.json');
    const run = node(['--input-type=module', '--eval', script, report]);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a report, read once
    const { numPassedTests, numFailedTests, testResults } = require(report) as Record<string, unknown>;
    rmSync(folder, { recursive: true });
    expect({ status: run.status, numPassedTests, numFailedTests, stderr: run.stderr }).toEqual({
      status: 0,
      numPassedTests: 4,
      numFailedTests: 0,
      stderr: '',
    });
    expect(testResults).toHaveLength(files.length);
  });

  it('passes under node:test', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'node-test-'));
    const bundle = path.join(folder, 'shims.test.cjs');
    const built = node([
      '--eval',
      `require('esbuild').buildSync({
        entryPoints: ['runners/shims.node-test.ts'], outfile: ${JSON.stringify(bundle)}, bundle: true, platform: 'node',
        format: 'cjs', conditions: ['@wrongstack/source'], logLevel: 'error',
        define: { 'import.meta.url': '__url' },
        banner: { js: 'const __url = require("node:url").pathToFileURL(' + ${JSON.stringify(
          JSON.stringify(path.join(fixtures, 'runners/shims.mjs')),
        )} + ').href;' },
      })`,
    ]);
    expect(built).toEqual({ status: 0, stdout: '', stderr: '' });
    const run = node(['--test', '--test-reporter=tap', bundle]);
    rmSync(folder, { recursive: true });
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/^# pass 2$/m);
    expect(run.stdout).toMatch(/^# fail 0$/m);
  });
});
