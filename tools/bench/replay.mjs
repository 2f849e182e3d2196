// `node tools/bench/replay.mjs [--count=1000000] [--rules=100]`: a draft replayed on recorded decisions by the built API, with a progress bar. Says how long
// it took, what memory did, and how long a request waited meanwhile. Fills a store of its own first. Build first.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openControlStore } from '@wrongstack/adapters/store';
import { canonicalJson } from '@wrongstack/contracts';
import { auditIndexOf } from '@wrongstack/contracts/control';
import { parsePolicyDocument, runPolicyTests } from '@wrongstack/policy';
import { builtInTools, MemoryStore } from '@wrongstack/tools';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, rules: { type: 'string', default: '100' } },
});
const count = Number(values.count);
if (!Number.isInteger(count) || count < 1) throw new Error('bench: --count takes a whole number from 1.');

const root = path.resolve(import.meta.dirname, '../..');
const TEAMS = 20;
const BATCH = 1000;
const COMMANDS = [
  'git status',
  'npm test -- --watch=false',
  'terraform plan -out plan.bin',
  'cat src/index.ts | head -50',
  'kubectl get pods -n payments',
  'sed -i s/a/b/ src/app.ts',
  'curl -s https://registry.example.com/x',
  'rm -rf build',
  'cd packages/api && npm run build',
  'terraform apply plan.bin',
];

const document = (id, revision, rules) =>
  JSON.stringify({
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id, revision, scope: { tier: 'org' } },
    rules,
  });

/** A fifth of them are about commands, as in decide.bench.ts. */
const rules = Array.from({ length: Number(values.rules) }, (_, index) => ({
  id: `rule-${index}`,
  effect: ['deny', 'confirm', 'allow'][index % 3],
  actions: [index % 5 === 0 ? 'shell.arbitrary' : ['fs.write', 'net.outbound', 'memory.read'][index % 3]],
  when: { command: { argv: [`tool-${index}`, ['delete', 'drain', 'purge-*']] } },
  because: 'a rule of the benchmark',
}));
const draft = document('bench', 1, [
  ...rules,
  {
    id: 'no-apply',
    effect: 'deny',
    actions: ['*'],
    when: { command: { argv: ['terraform', 'apply'] } },
    because: 'applied by the pipeline',
  },
]);

const folder = mkdtempSync(path.join(tmpdir(), 'wstack-replay-'));
let api = null;
try {
  const bytes = await fill(path.join(folder, 'control/control.db'));
  const { url, token } = await start();
  const call = async (method, route, body) => {
    const answer = await fetch(`${url}/v1${route}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`bench: ${method} ${route} ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  await call('POST', '/policies', { text: draft });
  const before = rss();
  const spentBefore = cpuSeconds();
  const started = performance.now();
  const { id } = await (await call('POST', '/policies/bench/replays', {})).json();
  const waits = [];
  let most = before;
  const samples = [];
  const watching = setInterval(() => {
    const resident = rss();
    most = Math.max(most, resident);
    samples.push(resident);
    const asked = performance.now();
    call('GET', '/whoami').then(
      () => waits.push(performance.now() - asked),
      () => waits.push(Infinity),
    );
  }, 250);
  const last = await follow(await call('GET', `/replays/${id}/events`));
  clearInterval(watching);
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuSeconds() - spentBefore;
  waits.sort((a, b) => a - b);
  const half = samples.slice(samples.length >> 1);
  process.stdout.write(
    `${last.progress.looked} decisions of ${Math.round(bytes / count)} bytes under ${values.rules} rules in ${seconds.toFixed(1)} s and ${cpu.toFixed(1)} s of CPU (${Math.round((cpu * 1e6) / count)} us each), ` +
      `${last.flips} flips of ${last.teams} teams, ${last.progress.skipped} skipped, ${last.state}\n` +
      `resident before ${before} MiB, at most ${most} MiB, first half at most ${Math.max(...samples.slice(0, samples.length >> 1))} MiB, second half ${Math.min(...half)} to ${Math.max(...half)} MiB\n` +
      `a request meanwhile: median ${waits[waits.length >> 1]?.toFixed(1)} ms, worst ${waits.at(-1)?.toFixed(1)} ms of ${waits.length}\n`,
  );
} finally {
  api?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** Real decisions of a few calls, recorded again and again for different teams. Gives the bytes of text. */
async function fill(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  const tools = builtInTools({ environment: {}, memory: new MemoryStore() }).map((tool) => ({
    ...tool,
    owner: 'core',
    definitionDigest: 'sha256:bench',
  }));
  const nothing = await parsePolicyDocument(document('nothing', 1, []), { file: 'bench' });
  const tests = COMMANDS.map((command) => ({
    name: command,
    call: { tool: 'bash', input: { command } },
    expect: { verdict: 'allow' },
  }));
  const decisions = (await runPolicyTests({ ...nothing, tests }, tools)).map(({ decision }) => decision);
  const store = await openControlStore({ file });
  let bytes = 0;
  try {
    for (let first = 0; first < count; first += BATCH) {
      let prev = null;
      const records = Array.from({ length: Math.min(BATCH, count - first) }, (_, seq) => {
        const number = first + seq;
        const at = new Date(Date.UTC(2026, 10, 1) + number * 1000).toISOString();
        const entry = {
          kind: 'decision',
          ts: at,
          session: 's',
          run: null,
          call: null,
          decision: decisions[number % decisions.length],
        };
        const hash = createHash('sha256').update(`${number}`).digest('hex');
        const team = `team-${Math.floor(number / decisions.length) % TEAMS}`;
        const record = {
          seq,
          prev,
          hash,
          index: auditIndexOf(entry, { actor: `user-${number % 200}`, agent: null, team }),
          entry,
        };
        if (seq === 0) bytes += canonicalJson(entry).length * BATCH;
        prev = hash;
        return record;
      });
      await store.audit.append({ source: `agent/${first}`, records }, new Date().toISOString());
      if (first % 20_000 === 0) bar('filling', first / count);
    }
  } finally {
    await store.close();
  }
  bar('filling', 1);
  return bytes;
}

async function start() {
  const port = await freePort();
  api = spawn(process.execPath, [path.join(root, 'apps/api/dist/bundle.cjs')], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      WRONGSTACK_HOME: folder,
      WRONGSTACK_PROJECT: folder,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: api.stdout })) {
    const token = /(wst_\S+)/.exec(line)?.[1];
    if (token !== undefined) return { url: `http://127.0.0.1:${port}`, token };
  }
  throw new Error('bench: the API did not start');
}

/** The last event of a stream; the others move the bar. */
async function follow(answer) {
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const job = JSON.parse(data);
      bar('replaying', job.progress.percent / 100);
      if (/^event: end$/m.test(event)) return job;
    }
  }
  throw new Error('bench: the stream of events ended early');
}

function bar(what, part) {
  if (!process.stderr.isTTY && part < 1) return;
  const full = Math.round(part * 40);
  process.stderr.write(
    `\r${what} [${'#'.repeat(full)}${'-'.repeat(40 - full)}] ${Math.floor(part * 100)}%${part === 1 ? '\n' : ''}`,
  );
}

function rss() {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** Of all of its threads. */
function cpuSeconds() {
  const fields = readFileSync(`/proc/${api.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
