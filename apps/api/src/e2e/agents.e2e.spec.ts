import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

jest.setTimeout(300_000);

const SOAK = path.resolve(__dirname, '../../../../tools/soak/agents.mjs');

// The same with 10,000: `node tools/soak/agents.mjs`.
describe('many agents on one API', () => {
  it('lose nothing of what was acknowledged, and all hear of a publication in time', async () => {
    const args = [SOAK, '--agents=200', '--minutes=0.1', '--ship-every=2'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(/^published: 200 reached/m);
    expect(stdout).toMatch(/^200 agents; 0 wrong$/m);
  });
});
