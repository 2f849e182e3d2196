// An API and the machines of its fleet, each with a home and a project of its own, on which the built wstack runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../..');
const API = path.join(root, 'apps/api/dist/bundle.cjs');
const WSTACK = path.join(root, 'apps/cli/bin/wstack.cjs');
const TURNS = 6;
const TOKENS = 100;
/** For a command that ends by itself. */
const PATIENCE_MS = 60_000;

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: soak, revision: 1, scope: { tier: org } }
rules:
  - id: allow-echo
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [echo] } }
    because: the soak's own work
`;

/** Each turn reads, which is allowed, runs what is allowed, and asks for what is denied. */
const turn = (index) => ({
  delayMs: 20,
  usage: { inputTokens: TOKENS },
  calls: [
    { tool: 'read', input: { path: 'a.txt' } },
    { tool: 'bash', input: { command: `echo ${index}` } },
    { tool: 'bash', input: { command: `curl example.com/${index}` } },
  ],
});
const SCRIPT = { turns: [...Array.from({ length: TURNS }, (_, index) => turn(index)), { text: 'done' }] };

export class Fleet {
  machines = [];

  static async start(count) {
    const fleet = new Fleet();
    fleet.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-fleet-')));
    try {
      await fleet.#startApi();
      const published = { expectedRevision: 0, note: 'soak' };
      await fleet.request('POST', '/v1/policies', { text: POLICY });
      await fleet.request('POST', '/v1/policies/soak/publications', published);
      for (let index = 0; index < count; index += 1) {
        const machine = new Machine(path.join(fleet.folder, `machine-${index}`));
        fleet.machines.push(machine);
        const login = await machine.run(['login', '--server', fleet.url, '--token'], `${fleet.token}\n`);
        if (login.code !== 0) throw new Error(`no login: ${login.stderr}`);
      }
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  async timeOfOne() {
    const began = performance.now();
    const { code, stderr } = await this.machines[0].run(['run', 'go', '--tolerate-denials']);
    if (code !== 0) throw new Error(`a run that nobody kills ends with ${code}: ${stderr}`);
    return performance.now() - began;
  }

  async request(method, route, body) {
    const response = await fetch(this.url + route, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return text;
  }

  async decisionsOnDisk() {
    const all = this.machines.flatMap((machine) => machine.decisions());
    return countOf(all.map((verdict) => [verdict, 1]));
  }

  async decisionsInLog() {
    const { verdict } = JSON.parse(await this.request('GET', '/v1/audit/facets?kind=decision'));
    return countOf(verdict.map(({ value, count }) => [value, count]));
  }

  async decisionsCounted() {
    const page = await this.request('GET', '/metrics');
    const lines = page.matchAll(/^wrongstack_fleet_decisions_total\{verdict="(\w+)",tool="\w+"\} (\d+)$/gm);
    return countOf(Array.from(lines, ([, verdict, count]) => [verdict, Number(count)]));
  }

  async tokens() {
    const page = await this.request('GET', '/metrics');
    const lines = page.matchAll(/^wrongstack_model_tokens_total\{[^}]*\} (\d+)$/gm);
    return {
      logged: this.machines.reduce((sum, machine) => sum + machine.tokensLogged(), 0),
      reported: Array.from(lines, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0),
      ofOneTurn: TOKENS,
    };
  }

  async stop() {
    if (this.api !== undefined && this.api.exitCode === null) {
      const gone = once(this.api, 'exit');
      this.api.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startApi() {
    const home = path.join(this.folder, 'api');
    mkdirSync(path.join(home, 'project'), { recursive: true });
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      WRONGSTACK_PROJECT: path.join(home, 'project'),
      PORT: '0',
    };
    this.api = spawn(process.execPath, [API], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: this.api.stdout })) {
      this.url ??= /listening on (http:\S+)/.exec(line)?.[1];
      this.token ??= /admin token.*(wst_\S+)/.exec(line)?.[1];
      if (this.token === undefined) continue;
      this.api.stdout.resume();
      return;
    }
    throw new Error('the API ended before it was there: was it built?');
  }
}

class Machine {
  constructor(folder) {
    this.home = path.join(folder, 'home');
    this.project = path.join(folder, 'project');
    mkdirSync(path.join(this.home, '.wrongstack'), { recursive: true });
    mkdirSync(path.join(this.project, '.git'), { recursive: true });
    const script = path.join(this.home, 'script.json');
    writeFileSync(script, JSON.stringify(SCRIPT));
    const config = { provider: { type: 'scripted', model: 'm', script } };
    writeFileSync(path.join(this.home, '.wrongstack/config.json'), JSON.stringify(config));
    writeFileSync(path.join(this.project, 'a.txt'), 'a');
  }

  async run(args, input = '') {
    const child = this.#start(args, 'pipe');
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.stdin.end(input);
    let stderr = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
    const [code] = await once(child, 'close');
    clearTimeout(timer);
    return { code, stderr };
  }

  /** Whether the kill came before the end. */
  async killedRun(afterMs) {
    const child = this.#start(['run', 'go', '--tolerate-denials'], 'ignore');
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    const [, signal] = await once(child, 'close');
    clearTimeout(timer);
    return signal === 'SIGKILL';
  }

  /** A command ends with what is left to say; the second one says what the first had to decide itself. */
  async shipTheRest() {
    for (const args of [
      ['run', 'go', '--tolerate-denials'],
      ['policy', 'pull'],
      ['policy', 'status'],
    ])
      await this.run(args);
  }

  decisions() {
    return this.#lines('audit').flatMap(({ entry }) =>
      entry.kind === 'decision' ? [entry.data?.decision?.verdict ?? entry.decision?.verdict] : [],
    );
  }

  tokensLogged() {
    return this.#lines('sessions').reduce(
      (sum, entry) => sum + (entry.usage && entry.type === 'assistant_message' ? entry.usage.inputTokens : 0),
      0,
    );
  }

  /** Whole lines alone: the last one may have been torn by a kill, and then nobody was told of it. */
  #lines(folder) {
    const place = path.join(this.home, '.wrongstack', folder);
    return readdirSync(place)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(path.join(place, name), 'utf8').split('\n').slice(0, -1))
      .map((line) => JSON.parse(line));
  }

  #start(args, stdio) {
    const env = { PATH: process.env.PATH, HOME: this.home, LANG: 'C.UTF-8', TZ: 'UTC' };
    return spawn(process.execPath, [WSTACK, ...args], { cwd: this.project, env, stdio });
  }
}

function countOf(pairs) {
  const counts = new Map();
  for (const [name, count] of pairs) counts.set(name, (counts.get(name) ?? 0) + count);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
