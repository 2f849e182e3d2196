import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

// The built artefact, as `npm run api` starts it.
const bundle = path.resolve(__dirname, '../dist/bundle.cjs');

jest.setTimeout(60_000);

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

    api.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await errors).toBe('');
    const rest = [];
    for await (const row of { [Symbol.asyncIterator]: () => lines }) rest.push(row);
    expect(rest).toEqual([
      'tasks: run in this process and end with it (set REDIS_URL to hand them to workers)',
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
});
