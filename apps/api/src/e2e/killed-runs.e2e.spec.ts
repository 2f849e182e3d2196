import { execFile } from 'node:child_process';
import path from 'node:path';

jest.setTimeout(120_000);

const SOAK = path.resolve(__dirname, '../../../../tools/soak/killed-runs.mjs');

// The same with 200 runs: `node tools/soak/killed-runs.mjs`.
describe('command lines that are killed in the middle of their runs', () => {
  it('leave the counters of the fleet equal to the audit log, and both to what was decided', async () => {
    const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
      execFile(process.execPath, [SOAK, '--runs=8', '--machines=2'], (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: stdout + stderr }),
      );
    });
    // First, so that a failure says what differs.
    expect(said).not.toContain('WRONG');
    expect([code, said]).toEqual([0, expect.stringMatching(/^8 runs, [1-8] killed, on 2 machines/)]);
  });
});
