// A Redis, a proxy before it, an API and its workers, each a process of its own, in a home and a project of their own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startProxy } from './cut-proxy.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'apps/api/dist');
const TOKEN = 'soak-token';

// What a run changes: one line `begin`, and one `end` where it came that far. What it prints is also in a file.
const WORK = `#!/bin/sh
echo begin >> "runs/$1"
i=0
while [ $i -lt "$2" ]; do
  i=$((i+1))
  echo "line $i" >> "written/$1"
  echo "line $i"
  sleep "$3"
done
echo end >> "runs/$1"
`;

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: soak, revision: 1, scope: { tier: user } }
rules:
  - id: allow-work
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: ["./work.sh"] } }
    because: the soak's own work
  - id: allow-gigabyte
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: ["./gigabyte.sh"] } }
    because: the soak's own work
`;

const GIGABYTE = `#!/bin/sh
yes "0123456789012345678901234567890123456789012345678901234567890" | head -c 1000000000
echo
echo the very end
`;

/** Fails loudly: a soak without Redis would say nothing about it. */
export function requireRedis() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      'redis-server is not installed (Debian: apt-get install redis-server): nothing was tried.',
    );
  }
}

export class Stack {
  #children = new Set();
  #requests = 0;

  static async start(options = {}) {
    const stack = new Stack();
    stack.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-soak-')));
    stack.project = path.join(stack.folder, 'project');
    stack.home = path.join(stack.folder, 'home');
    for (const name of ['project/runs', 'project/written', 'home/.wrongstack', 'redis']) {
      mkdirSync(path.join(stack.folder, name), { recursive: true });
    }
    for (const [name, text] of [
      ['work.sh', WORK],
      ['gigabyte.sh', GIGABYTE],
    ]) {
      writeFileSync(path.join(stack.project, name), text);
      chmodSync(path.join(stack.project, name), 0o755);
    }
    writeFileSync(path.join(stack.home, '.wrongstack/policy.yaml'), POLICY);
    stack.options = { patienceMs: 3_000, blockMs: 5_000, api: {}, ...options };
    stack.redisPort = await freePort();
    await stack.startRedis();
    stack.proxy = await startProxy(stack.redisPort);
    stack.apiPort = await freePort();
    await stack.startApi();
    return stack;
  }

  async startRedis() {
    const args = [
      '--port',
      this.redisPort,
      '--dir',
      path.join(this.folder, 'redis'),
      '--appendonly',
      'yes',
      // What Redis has said must be true after it was killed: else it is Redis's promise that is tried, and not ours.
      '--appendfsync',
      'always',
      '--save',
      '',
    ];
    const options = { stdio: ['ignore', 'pipe', 'inherit'] };
    this.redis = (await this.#program('redis-server', args.map(String), 'Ready to accept', options)).child;
  }

  /** The first time it says what its admin's token is. */
  async startApi() {
    const ready = this.admin === undefined ? 'admin token' : 'listening on';
    const { child, line } = await this.#node('bundle.cjs', ready, this.options.api);
    this.api = child;
    this.admin ??= /wst_\S+/.exec(line)[0];
  }

  /** Somebody of their own, who may start tasks. */
  async newOwner(id) {
    const body = { name: id, service: { id, roles: ['developer'] } };
    return (await this.request('POST', '/v1/tokens', body, { token: this.admin })).token;
  }

  async startWorker() {
    this.worker = (await this.#node('worker.cjs', 'takes tasks')).child;
    return this.worker;
  }

  async kill(child, signal = 'SIGKILL') {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    this.#children.delete(child);
  }

  /** Answers once the API does, which may be restarting, unless its caller is not that patient. */
  async request(method, route, body, { patient = true, token = TOKEN } = {}) {
    for (let turn = 0; ; turn += 1) {
      try {
        const response = await fetch(`http://127.0.0.1:${this.apiPort}${route}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        return { http: response.status, ...(await response.json()) };
      } catch (error) {
        if (!patient || turn > 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** Queues one run of the work; null when it was refused. */
  async begin(lines, secondsALine, token) {
    const name = `n${(this.#requests += 1)}`;
    const command = `./work.sh ${name} ${lines} ${secondsALine}`;
    const body = { input: { command, run_in_background: true } };
    const caller = { patient: false, token };
    const answer = await this.request('POST', '/v1/tools/bash/calls', body, caller).catch((error) => ({
      error,
    }));
    return { name, lines, token, id: answer.http === 202 ? answer.task.id : null, answer };
  }

  async stop() {
    await Promise.all(Array.from(this.#children, (child) => this.kill(child)));
    this.proxy.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #node(program, ready, more = {}) {
    const env = {
      PATH: process.env.PATH,
      HOME: this.home,
      WRONGSTACK_HOME: path.join(this.home, '.wrongstack'),
      WRONGSTACK_PROJECT: this.project,
      WRONGSTACK_API_TOKEN: TOKEN,
      REDIS_URL: `redis://127.0.0.1:${this.proxy.port}`,
      PORT: String(this.apiPort),
      TASKS_PATIENCE_MS: String(this.options.patienceMs),
      SOAK_BLOCK_MS: String(this.options.blockMs),
      ...more,
    };
    const args = [
      '--require',
      path.join(import.meta.dirname, 'block-on-signal.cjs'),
      path.join(dist, program),
    ];
    // Redis going away is what is tried here: that it is logged is no news.
    return this.#program(process.execPath, args, ready, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  }

  async #program(program, args, ready, options) {
    const child = spawn(program, args, options);
    this.#children.add(child);
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes(ready)) continue;
      child.stdout.resume();
      return { child, line };
    }
    throw new Error(`${args.at(-1)} ended before it said "${ready}"`);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
