// `npm test [-- <nx arguments>]`: every project's tests, then one line with the real totals.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, '.test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const nxFolder = path.join(root, 'node_modules/nx');
const nx = path.join(nxFolder, JSON.parse(readFileSync(path.join(nxFolder, 'package.json'), 'utf8')).bin.nx);
const run = spawnSync(
  process.execPath,
  [nx, 'run-many', '-t', 'test', '--parallel=2', '--output-style=static', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);

const total = { passed: 0, failed: 0, skipped: 0 };
for (const file of readdirSync(results).sort()) {
  const counts = JSON.parse(readFileSync(path.join(results, file), 'utf8'));
  process.stdout.write(`  ${counts.project.padEnd(10)} ${counts.passed} passed, ${counts.failed} failed\n`);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}
// Nx also fails on things that are no test: a build that broke, a project that never started. Their tests did not pass.
if (run.status !== 0 && total.failed === 0) {
  process.stdout.write('  a target failed outside the tests, counted as one failure: see above\n');
  total.failed = 1;
}
if (total.skipped > 0) process.stdout.write(`  ${total.skipped} skipped\n`);
// Each spec says so as it is left out, far above by now.
if (spawnSync('redis-server', ['--version']).status !== 0)
  process.stdout.write(
    '  LEFT OUT: all that needs a real Redis, background tasks on workers above all. Install redis-server (Debian: apt-get install redis-server) and run again.\n',
  );
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = run.status !== 0 || total.failed > 0 || total.passed === 0 ? 1 : 0;
