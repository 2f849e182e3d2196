import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { redisMissing } from '@wrongstack/adapters/testing';

jest.setTimeout(300_000);

const SOAK = path.resolve(__dirname, '../../../tools/soak/run.mjs');
const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

// One short round of each fault of the soak, on the built artefacts; the soak itself takes hours.
withRedis('every task ends once, with its output, and has run once at most, when', () => {
  it.each([
    ['the worker is killed', 'worker-killed'],
    ['Redis is restarted', 'redis-restarted'],
    ['Redis stands still', 'redis-paused'],
    ['the network stands still', 'network-frozen'],
    ['the network is cut', 'network-reset'],
    ["the worker's event loop is blocked", 'loop-blocked'],
    ['the API is restarted', 'api-restarted'],
  ])('%s', async (_what, fault) => {
    const short = ['--rounds=1', '--tasks=6', '--pause=6', '--cut=6', '--block=5', '--patience=3'];
    const { stdout } = await promisify(execFile)(process.execPath, [SOAK, `--fault=${fault}`, ...short]);
    expect(stdout).toMatch(new RegExp(`^${fault}: 1 rounds, 9 tasks \\(.*\\), 0 wrong`));
  });
});
