import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TestApi } from '../test-api.spec-support.js';

// Redis is started and stopped.
jest.setTimeout(60_000);

describe('/readyz', () => {
  let api: TestApi | null = null;
  afterEach(async () => {
    await api?.stop();
    api = null;
  });

  const ready = async () => {
    const { status, headers, body } = (await api?.request('GET', '/readyz', { user: null })) ?? {};
    return { status, type: headers?.['content-type'], body };
  };

  it('says ready to anybody where all that it needs answers', async () => {
    api = await TestApi.start();
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('names plugins when one is unwell, hangs or is gone, and not what they say', async () => {
    api = await TestApi.start();
    let health: () => Promise<void> = async () => undefined;
    api.host.readiness.add('plugins', () => health());
    expect(await ready()).toMatchObject({ status: 200 });
    health = () => Promise.reject(new Error('redis://:secret@db is down'));
    const { status, type, body } = await ready();
    expect([status, type]).toEqual([503, expect.stringContaining('application/problem+json')]);
    expect(body).toMatchObject({ code: 'api.not_ready', problems: [{ path: 'plugins' }] });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  const missing = redisMissing();
  (missing === null ? it : it.skip)(
    'names tasks while Redis is away, and is ready again with it',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'wstack-ready-'));
      const port = await freePort();
      let redis = await startRedis(port, folder);
      try {
        api = await TestApi.start({ redisUrl: `redis://127.0.0.1:${String(port)}` });
        expect(await ready()).toMatchObject({ status: 200 });
        await stop(redis);
        expect(await ready()).toMatchObject({ status: 503, body: { problems: [{ path: 'tasks' }] } });
        redis = await startRedis(port, folder);
        let last = await ready();
        for (let tries = 0; last.status !== 200 && tries < 20; tries += 1) last = await ready();
        expect(last).toMatchObject({ status: 200 });
      } finally {
        await api?.stop();
        api = null;
        await stop(redis);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

describe('plugins of a server', () => {
  it('that a policy requires and that are not there make it not ready', async () => {
    const api = await TestApi.start(
      {},
      'apiVersion: policy.wrongstack/v1\nkind: CapabilityPolicy\nmetadata: { id: server, revision: 1, scope: { tier: user } }\nlocks: { plugins: { require: [guard] } }\nrules: []\n',
    );
    const { status, body } = await api.request('GET', '/readyz', { user: null });
    await api.stop();
    expect([status, body['problems']]).toEqual([503, [expect.objectContaining({ path: 'plugins' })]]);
  });

  it('that are broken stop nothing', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'wstack-ready-'));
    const plugin = path.join(home, 'plugins/bad');
    mkdirSync(plugin, { recursive: true });
    writeFileSync(path.join(plugin, 'package.json'), '{ not json');
    const api = await TestApi.start({ agentHome: home });
    const { status } = await api.request('GET', '/readyz', { user: null });
    await api.stop();
    rmSync(home, { recursive: true, force: true });
    expect(status).toBe(200);
  });
});

function redisMissing(): string | null {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return process.env['WRONGSTACK_REQUIRE_REDIS'] === '1' ? null : 'redis-server is not installed';
  }
}

async function startRedis(port: number, folder: string): Promise<ChildProcess> {
  const child = spawn('redis-server', ['--port', String(port), '--dir', folder, '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) {
    if (String(chunk).includes('Ready to accept connections')) break;
  }
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
