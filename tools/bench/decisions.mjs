// `node tools/bench/decisions.mjs [--rules=1000] [--requests=1000]`: a governed decision over HTTP, side by side in one run with an empty Nest-Fastify route
// (CPU of the part before the insert) and with one committed insert of that row by the same store (p99 at 32 connections). SQLite, or DATABASE_URL.
// Both are asked with the same bodies, as often before the figures are taken as while.
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CALLS, describeCalls } from './decisions/calls.mjs';

const { values } = parseArgs({
  options: { rules: { type: 'string', default: '1000' }, requests: { type: 'string', default: '1000' } },
});
const count = Number(values.requests);
if (!Number.isInteger(count) || count < 100)
  throw new Error('bench: --requests takes a whole number from 100.');
const CONNECTIONS = 32;
const ROUNDS = 3;
const BODIES = CALLS.map((call) => JSON.stringify(call)).map((text) => ({
  text,
  length: Buffer.byteLength(text),
}));

const root = path.resolve(import.meta.dirname, '../..');
const work = path.join(root, 'node_modules/.cache/wrongstack-bench-decisions');
const folder = mkdtempSync(path.join(tmpdir(), 'wstack-bench-'));
rmSync(work, { recursive: true, force: true });
// The version is read from the package beside it, as in a build.
mkdirSync(path.join(work, 'dist'), { recursive: true });
copyFileSync(path.join(root, 'apps/api/package.json'), path.join(work, 'package.json'));
const file = path.join(work, 'dist/server.mjs');
await build({
  entryPoints: [path.join(import.meta.dirname, 'decisions/server.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  conditions: ['@wrongstack/source'],
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  plugins: [
    {
      name: 'packages-outside',
      setup({ onResolve }) {
        onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
          kind === 'entry-point' || name.startsWith('@wrongstack/')
            ? undefined
            : { path: name, external: true },
        );
      },
    },
  ],
  logLevel: 'warning',
});

const api = await start('api', folder, values.rules);
const empty = await start('empty');
try {
  const warm = async () => {
    for (const server of [api, empty]) await load(server, count);
  };
  await warm();
  const whole = await load(api, count);
  const insert = await ask(api, 'insert');
  const together = await ask(api, `insert ${CONNECTIONS}`);
  await ask(api, 'without insert');
  await warm();
  const ratios = [];
  const costs = { decision: [], empty: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = await cpuOf(api, count);
    const bare = await cpuOf(empty, count);
    costs.decision.push(decision);
    costs.empty.push(bare);
    ratios.push(decision / bare);
  }
  const p99 = at(whole, 0.99);
  const one = at(insert, 0.99);
  const line = (text) => process.stdout.write(`${text}\n`);
  line(
    `store             ${process.env.DATABASE_URL === undefined ? 'SQLite' : 'PostgreSQL'}, ${values.rules} rules, ${CONNECTIONS} connections`,
  );
  line(`calls             ${describeCalls()}, in turns`);
  line(`decision          p50 ${ms(at(whole, 0.5))}, p99 ${ms(p99)}`);
  line(`one insert        p50 ${ms(at(insert, 0.5))}, p99 ${ms(one)}`);
  line(
    `${CONNECTIONS} at once        p50 ${ms(at(together, 0.5))}, p99 ${ms(at(together, 0.99))} an insert, for information`,
  );
  line(`p99 / p99         ${(p99 / one).toFixed(2)} (2 wanted) ${p99 <= 2 * one ? 'ok' : 'OVER'}`);
  const ratio = at(ratios, 0.5);
  line(
    `before the insert ${Math.round(at(costs.decision, 0.5))} us CPU, an empty route ${Math.round(at(costs.empty, 0.5))} us`,
  );
  line(`CPU / CPU         ${ratio.toFixed(2)} (1.5 wanted) ${ratio <= 1.5 ? 'ok' : 'OVER'}`);
} finally {
  for (const { child } of [api, empty]) child.disconnect();
  await Promise.all([api, empty].map(({ child }) => once(child, 'exit')));
  rmSync(folder, { recursive: true, force: true });
}

async function start(...args) {
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`bench: the server ended with ${code}`);
    }),
  ]);
  return { child, ...said, agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }) };
}

async function ask({ child }, what) {
  child.send(what);
  const [{ value }] = await once(child, 'message');
  return value;
}

async function cpuOf(server, requests) {
  const before = await ask(server, 'cpu');
  await load(server, requests);
  return ((await ask(server, 'cpu')) - before) / requests;
}

/** Milliseconds of each request; as many at once as there are connections. */
async function load({ url, tokens, agent }, requests) {
  const taken = [];
  let left = requests;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      const authorization = `Bearer ${tokens[connection % tokens.length]}`;
      while (left > 0) {
        left -= 1;
        const { text, length } = BODIES[left % BODIES.length];
        const headers = { 'content-type': 'application/json', 'content-length': length, authorization };
        const began = performance.now();
        await new Promise((resolve, reject) => {
          request(url, { method: 'POST', agent, headers }, (response) => {
            if (response.statusCode !== 200)
              reject(new Error(`bench: ${url} answered ${response.statusCode}`));
            response.resume().on('end', resolve);
          })
            .on('error', reject)
            .end(text);
        });
        taken.push(performance.now() - began);
      }
    }),
  );
  return taken;
}

function at(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}
