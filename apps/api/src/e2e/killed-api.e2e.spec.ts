import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { postgresMissing } from '@wrongstack/adapters/store/testing';

jest.setTimeout(300_000);

const SOAK = path.resolve(__dirname, '../../../../tools/soak/killed-api.mjs');
const missing = postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1');
if (missing !== null) process.stderr.write(`\n${missing}\n`);

// The same with 50 kills: `node tools/soak/killed-api.mjs --store=…`.
describe('an API that is killed while callers write to it keeps what it acknowledged, and uses no approval twice', () => {
  it.each(missing === null ? ['sqlite', 'postgres'] : ['sqlite'])('on %s', async (store) => {
    const args = [SOAK, '--kills=2', `--store=${store}`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(new RegExp(`^${store}: 2 kills in .*; 0 wrong`));
  });
});
