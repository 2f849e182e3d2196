import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const API = path.resolve(import.meta.dirname, '../../../apps/api/dist/bundle.cjs');
const TICKS_A_SECOND = 100;

/** The built API in a folder of its own, on SQLite or the DATABASE_URL of this process, with its memory and CPU as the kernel counts them. */
export class MeasuredApi {
  #folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-agents-')));

  async start() {
    mkdirSync(path.join(this.#folder, 'project'));
    const port = await freePort();
    const { PATH, DATABASE_URL } = process.env;
    const env = {
      ...{ PATH, HOME: this.#folder, PORT: String(port), NODE_ENV: 'production' },
      WRONGSTACK_PROJECT: path.join(this.#folder, 'project'),
      ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }),
    };
    this.url = `http://127.0.0.1:${port}`;
    this.child = spawn(process.execPath, [API], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: this.child.stdout })) {
      this.admin = /admin token.*(wst_\S+)/.exec(line)?.[1];
      if (this.admin !== undefined) break;
    }
    this.child.stdout.resume();
    if (this.admin === undefined)
      throw new Error('the API gave no admin token: was it built, and is its store empty?');
  }

  /** MiB. */
  memory() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  }

  /** Seconds. */
  cpu() {
    const [, after] = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ');
    const [user, system] = after.split(' ').slice(11, 13).map(Number);
    return (user + system) / TICKS_A_SECOND;
  }

  async send(method, route, body, headers = {}) {
    const answer = await fetch(this.url + route, {
      method,
      headers: {
        ...{ authorization: `Bearer ${this.admin}`, ...headers },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async stop() {
    if (this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
