import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { TestPrometheus } from './metrics/prometheus.spec-support.js';

// The built artefact, as `npm run api` starts it.
const bundle = path.resolve(__dirname, '../dist/bundle.cjs');
const wstack = path.resolve(__dirname, '../../cli/bin/wstack.cjs');

jest.setTimeout(60_000);

/** Counts as the guide shows, is unwell while there is a file, and has a listener that throws. */
const TELLER = `import { existsSync } from 'node:fs';
export default {
  name: 'teller',
  setup(api) {
    api.metrics.counter('cache_hits', 1, { tier: 'l1' });
    api.metrics.histogram('cache_latency_ms', 42.5);
    api.metrics.gauge('cache_size', 142);
    api.onEvent('tool.executed', () => { throw new Error('broke in the listener') });
  },
  async health() { return { ok: !existsSync(new URL('unwell', import.meta.url)), message: 'Redis: gone' } },
};
`;

describe('the api process', () => {
  const started: ChildProcess[] = [];
  const home = mkdtempSync(path.join(tmpdir(), 'wstack-api-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  function start(env: Record<string, string>): ChildProcess {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, [bundle], {
      env: { ...process.env, WRONGSTACK_HOME: home, REDIS_URL: '', ...env },
      stdio: [...stdio],
    });
    started.push(child);
    return child;
  }

  it('says where it listens in one line, answers there, and ends cleanly on SIGTERM', async () => {
    const api = start({ PORT: '0' });
    const exit = once(api, 'exit');
    const errors = text(api.stderr!);
    const lines = createInterface({ input: api.stdout! })[Symbol.asyncIterator]();

    const { value: line } = await lines.next();
    const url = /^wrongstack api listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    const response = await fetch(`${url}/healthz`);
    expect(await response.json()).toEqual({ status: 'ok' });
    // Where the workspace builds the console, seen from the bundle; a build of the API alone leaves none there.
    const page = await fetch(`${url}/console/policies`);
    const built = existsSync(path.resolve(__dirname, '../../console/dist/index.html'));
    expect([page.status, page.headers.get('content-type')]).toEqual(
      built ? [200, 'text/html; charset=utf-8'] : [503, 'application/problem+json; charset=utf-8'],
    );

    // People are sent to the port that was chosen, not to the one that was asked for.
    const enrolment = await fetch(`${url}/v1/enrolments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client: { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'laptop' },
        refreshHash: `sha256:${'0'.repeat(64)}`,
      }),
    });
    expect(await enrolment.json()).toMatchObject({ verificationUri: `${url}/console/enrol` });

    api.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await errors).toBe('');
    const rest = [];
    for await (const row of { [Symbol.asyncIterator]: () => lines }) rest.push(row);
    expect(rest).toEqual([
      'tasks: run in this process and end with it (set REDIS_URL to hand them to workers)',
      'runs: none (set WRONGSTACK_WORKSPACES to the folders that they may work in)',
      `store: ${path.join(home, 'control')} (set DATABASE_URL for PostgreSQL and more than one replica)`,
      expect.stringMatching(/^admin token, shown this once and good for a day: wst_/),
    ]);
  });

  it('does what an operator asks instead of starting, and says what it does not know', async () => {
    const run = async (...args: string[]) => {
      const child = spawn(process.execPath, [bundle, ...args], {
        env: { ...process.env, WRONGSTACK_HOME: home, REDIS_URL: '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      const [[code], said, errors] = await Promise.all([
        once(child, 'exit'),
        text(child.stdout),
        text(child.stderr),
      ]);
      return { code, said, errors };
    };
    expect(await run('--rotate-keys')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^signing key k-/),
    });
    const wrong = await run('--rotate');
    expect(wrong).toMatchObject({ code: 1, said: '' });
    expect(wrong.errors).toMatch(/^wrongstack api: .*--rotate.* · see --help\n$/);
  });

  it('names a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1').unref();
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const api = start({ PORT: String(port) });

    const [[code], errors] = await Promise.all([once(api, 'exit'), text(api.stderr!)]);

    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^wrongstack api: .*EADDRINUSE.*:${port}$`, 'm'));
  });

  it('refuses a port that is none', async () => {
    const api = start({ PORT: 'http' });

    const [[code], errors] = await Promise.all([once(api, 'exit'), text(api.stderr!)]);

    expect(code).toBe(1);
    expect(errors).toMatch(/^wrongstack api: PORT is "http": .*\n$/);
  });

  it('has plugins: a real Prometheus reads their metrics, /readyz their health, and a later list their faults', async () => {
    const folder = path.join(home, 'plugins/teller');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'index.mjs'), TELLER);
    const tokens = {
      WRONGSTACK_SCRAPE_TOKEN: 'scrapes-and-nothing-more',
      WRONGSTACK_API_TOKEN: 'a-token-for-tests',
    };
    const api = start({ PORT: '0', WRONGSTACK_PROJECT: home, ...tokens });
    const exit = once(api, 'exit');
    const { value: line } = await createInterface({ input: api.stdout! })[Symbol.asyncIterator]().next();
    const { origin, host } = new URL(/http:\S+/.exec(line)?.[0] ?? '');
    const prometheus = await TestPrometheus.start(host, tokens.WRONGSTACK_SCRAPE_TOKEN);
    try {
      await prometheus.until(
        async () => (await prometheus.query('plugin_teller_cache_hits_total{tier="l1"} == 1')).length === 1,
      );
      expect((await prometheus.query('plugin_teller_cache_size'))[0]?.value[1]).toBe('142');
      expect((await prometheus.query('plugin_teller_cache_latency_ms_sum'))[0]?.value[1]).toBe('42.5');
    } finally {
      prometheus.stop();
    }

    const ready = async () => (await fetch(`${origin}/readyz`)).status;
    expect(await ready()).toBe(200);
    writeFileSync(path.join(folder, 'unwell'), '');
    expect(await ready()).toBe(503);
    rmSync(path.join(folder, 'unwell'));
    expect(await ready()).toBe(200);

    const call = await fetch(`${origin}/v1/tools/glob/calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.WRONGSTACK_API_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: { pattern: '*.none' } }),
    });
    expect([call.status, await call.json()]).toEqual([200, expect.anything()]);
    api.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    const list = spawn(process.execPath, [wstack, 'plugin', 'list', '--json'], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, WRONGSTACK_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(JSON.parse(await text(list.stdout))).toMatchObject([
      {
        name: 'teller',
        state: 'loaded',
        earlier: [{ code: 'plugin.hook_failed', message: 'broke in the listener' }],
      },
    ]);
  });
});
