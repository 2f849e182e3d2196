import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ControlServer, PERSONS_TOKEN } from '../control/control-server.spec-support.js';

const PROGRAM = path.join(__dirname, '../../bin/wstack.cjs');
const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - { id: no-prod-kube, effect: deny, actions: ["*"], when: { command: { argv: [kubectl, drain] } }, because: through the pipeline }
`;

let home: string;
let server: ControlServer;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'control-e2e-'));
  server = new ControlServer();
  await server.start();
  server.publish(POLICY);
});
afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function wstack(args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' };
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { cwd: home, env, timeout: 60_000 },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1,
          stdout,
          stderr,
        }),
    );
    child.stdin?.end(input);
  });
}

const login = () => wstack(['login', '--server', server.address, '--token'], `${PERSONS_TOKEN}\n`);

describe('wstack and its control plane', () => {
  it('signs in with a token from stdin, and enforces the signed policy at once and without the server', async () => {
    const signedIn = await login();
    expect(signedIn).toMatchObject({ code: 0 });
    expect(signedIn.stdout).toContain('as mira · team:payments');
    expect(signedIn.stdout + signedIn.stderr).not.toContain(PERSONS_TOKEN);
    await server.stop();
    const explained = await wstack([
      'policy',
      'explain',
      'bash',
      '{"command":"sudo kubectl drain n1"}',
      '--json',
    ]);
    expect(explained.code).toBe(3);
    expect(JSON.parse(explained.stdout)).toMatchObject({
      verdict: 'deny',
      by: { id: 'no-prod-kube', tier: 'team' },
      policy: { id: 'payments', revision: 1, state: 'fresh' },
    });
  }, 120_000);

  it('signs in by a code that it shows on stderr', async () => {
    server.confirmedAfter = 1;
    const { code, stderr } = await wstack(['login', '--server', server.address]);
    expect(code).toBe(0);
    expect(stderr).toContain('BCDF-GHJK');
    expect(stderr).toContain(`${server.address}/console/enrol?code=BCDF-GHJK`);
  }, 60_000);

  it('tells state, pulls, pushes, compares and verifies', async () => {
    expect(JSON.parse((await wstack(['policy', 'status', '--json'])).stdout)).toMatchObject({
      state: 'none',
    });
    await login();
    const status = await wstack(['policy', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ state: 'fresh', bundle: { epoch: 1, revision: 1 } });
    server.publish(POLICY.replace('no-prod-kube', 'other'));
    expect((await wstack(['policy', 'pull'])).code).toBe(0);
    const file = path.join(home, 'payments.yaml');
    await writeFile(file, POLICY);
    expect((await wstack(['policy', 'push', file])).stdout).toContain('created payments');
    expect((await wstack(['policy', 'push', file])).stdout).toContain('unchanged payments');
    expect((await wstack(['policy', 'diff', file, '--draft'])).stdout).toContain('no difference');
    expect((await wstack(['audit', 'verify'])).code).toBe(0);
    const who = JSON.parse((await wstack(['whoami', '--json'])).stdout);
    expect(who).toMatchObject({ user: 'mira', signedIn: true, confirmed: true });
  }, 180_000);

  it('refuses what somebody put in the place of the bundle, and says how to go on', async () => {
    await login();
    const folder = path.join(home, '.wrongstack/control');
    const { readdir } = await import('node:fs/promises');
    const name = (await readdir(folder, { recursive: true })).find((one) => one.endsWith('bundle.json'))!;
    const text = await readFile(path.join(folder, name), 'utf8');
    await writeFile(path.join(folder, name), text.replace('"payload":"', '"payload":"A'));
    const status = await wstack(['policy', 'status']);
    expect(status.code).toBe(3);
    expect(status.stdout).toContain('wstack policy pull');
    expect((await wstack(['policy', 'pull'])).code).toBe(0);
  }, 120_000);
});
