// `node tools/soak/killed-api.mjs [--kills=50] [--store=sqlite|postgres]`: an API that is killed while callers write to it. At the end every
// write that was acknowledged must be there, the chain must be whole, and no approval may have been used twice. Build the API first.
import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills takes a whole number from 1.');
if (!['sqlite', 'postgres'].includes(values.store)) throw new Error('--store takes sqlite or postgres.');

const root = path.resolve(import.meta.dirname, '../..');
const API = path.join(root, 'apps/api/dist/bundle.cjs');
const APPROVALS_A_ROUND = 4;
const USERS_OF_ONE = 3;
const DECIDERS = 4;
const LEAST_A_ROUND = 10;
/** Long enough for a busy machine; what takes longer is a fault. */
const START_MS = 60_000;

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-killed-api-')));
mkdirSync(path.join(folder, 'project'));
const postgres = values.store === 'postgres' ? await startPostgres() : null;
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  WRONGSTACK_PROJECT: path.join(folder, 'project'),
  PORT: String(await freePort()),
  ...(postgres === null ? {} : { DATABASE_URL: await postgres.database() }),
};
const url = `http://127.0.0.1:${env.PORT}`;

/** What callers were told: ids, each once for each time that they were told so. */
const told = { decisions: [], tokens: [], uses: [] };
let api = null;
let admin = null;

async function startApi() {
  const child = spawn(process.execPath, [API], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  api = child;
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const token = /admin token.*(wst_\S+)/.exec(line)?.[1];
      admin ??= token ?? null;
      // Last of what it prints: at a first start the token, at any other the store.
      if (token !== undefined || (line.startsWith('store:') && admin !== null)) break;
    }
    child.stdout.resume();
  })();
  await Promise.race([ready, sleep(START_MS, undefined, { ref: false })]);
  if (child.exitCode !== null || admin === null) throw new Error('the API did not start: was it built?');
}

/** Null = nobody answered: it was killed, so nothing was acknowledged. */
async function send(method, route, token, body) {
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const headers = { authorization: `Bearer ${token}`, ...type };
    const answer = await fetch(url + route, { method, headers, ...payload });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  }
}

async function serviceToken(id, roles) {
  const { body } = await send('POST', '/v1/tokens', admin, { name: id, service: { id, roles } });
  return body.token;
}

const digestOf = (id) => `sha256:${createHash('sha256').update(id).digest('hex')}`;

async function approved(developer, approver) {
  const id = `ap-${randomBytes(8).toString('hex')}`;
  const request = {
    ...{ id, kind: 'approve', digest: digestOf(id), decision: `d-${id}`, session: null, tool: 'bash' },
    ...{ title: 'bash deploy', rule: null, document: null, revision: null, because: 'a soak' },
    ...{ view: {}, facts: {}, ttlMinutes: 600 },
    approvers: { count: 1, from: [], excludeRequester: true },
  };
  const made = await send('POST', '/v1/approvals', developer, request);
  const answer = { decision: 'approve', reason: 'soak' };
  const decided = await send('POST', `/v1/approvals/${id}/decisions`, approver, answer);
  if (made?.status !== 201 || Math.floor((decided?.status ?? 0) / 100) !== 2)
    throw new Error(`no approval: ${JSON.stringify([made, decided])}`);
  return id;
}

async function round(number, developer, approver) {
  const approvals = [];
  for (let index = 0; index < APPROVALS_A_ROUND; index += 1)
    approvals.push(await approved(developer, approver));
  let going = true;
  const again = async (work) => {
    while (going) if ((await work()) === false) return;
  };
  const deciders = Array.from({ length: DECIDERS }, () =>
    again(async () => {
      const call = { tool: 'read', input: { path: 'a.txt' } };
      const answer = await send('POST', '/v1/decisions', developer, call);
      if (answer?.status === 200) told.decisions.push(answer.body.id);
    }),
  );
  const issuer = again(async () => {
    const answer = await send('POST', '/v1/tokens', admin, { name: `round ${number}` });
    if (answer?.status === 201) told.tokens.push(answer.body.record.id);
  });
  // Each by several at once, every one of them a use of its own; and those that were used before the last kill once more.
  const used = told.uses.slice(-2).map(({ id }) => id);
  const users = [...approvals, ...used].flatMap((id) =>
    Array.from({ length: USERS_OF_ONE }, async () => {
      await sleep(Math.random() * 300);
      const use = randomBytes(8).toString('hex');
      const answer = await send('POST', `/v1/approvals/${id}/use`, developer, { digest: digestOf(id), use });
      if (answer?.status === 200) told.uses.push({ id, use });
    }),
  );
  const before = told.decisions.length;
  // A process that has just started answers slowly: the kill is to come in the midst of work.
  while (told.decisions.length < before + LEAST_A_ROUND) await sleep(5);
  await sleep(50 + Math.random() * 400);
  const gone = once(api, 'exit');
  api.kill('SIGKILL');
  await gone;
  going = false;
  await Promise.all([...deciders, issuer, ...users]);
  return approvals;
}

const began = performance.now();
const wrong = [];
let done = 0;
let stopping = false;
// The round that is under way is finished, and what was acknowledged so far is looked for.
process.once('SIGTERM', () => (stopping = true));
try {
  await startApi();
  const developer = await serviceToken('soak', ['developer']);
  const approver = await serviceToken('boss', ['approver']);
  const auditor = await serviceToken('auditor', ['auditor']);
  const approvals = [];
  for (; done < kills && !stopping; done += 1) {
    approvals.push(...(await round(done, developer, approver)));
    await startApi();
    process.stderr.write('.');
  }

  // What was acknowledged, against what is there.
  const headers = { authorization: `Bearer ${auditor}` };
  const log = await (await fetch(`${url}/v1/audit/export`, { headers })).text();
  const lostDecisions = told.decisions.filter((id) => !log.includes(`"${id}"`));
  if (lostDecisions.length > 0)
    wrong.push(`${lostDecisions.length} decisions are lost, as ${lostDecisions[0]}`);
  const tokens = new Set();
  for (let cursor = ''; cursor !== null;) {
    const { body } = await send('GET', `/v1/tokens?limit=500${cursor}`, admin);
    for (const { id } of body.items) tokens.add(id);
    cursor = body.next === null ? null : `&cursor=${encodeURIComponent(body.next)}`;
  }
  const lostTokens = told.tokens.filter((id) => !tokens.has(id));
  if (lostTokens.length > 0) wrong.push(`${lostTokens.length} tokens are lost, as ${lostTokens[0]}`);
  const twice = told.uses.filter(({ id, use }) => told.uses.some((one) => one.id === id && one.use !== use));
  if (twice.length > 0) wrong.push(`an approval was used twice: ${twice[0].id}`);
  for (const { id } of told.uses) {
    const { body } = await send('GET', `/v1/approvals/${id}`, auditor);
    if (body.state !== 'used') wrong.push(`${id} was used and is ${JSON.stringify(body.state)}`);
  }
  for (const id of approvals) {
    const records = log.split('\n').filter((line) => line.includes('approval.used') && line.includes(id));
    if (records.length > 1) wrong.push(`${id} stands ${records.length} times in the log as used`);
  }
  const { body: chain } = await send('GET', '/v1/audit/verify', auditor);
  if (chain.ok !== true) wrong.push(`the chain is broken: ${chain.reason}`);
  if (told.decisions.length < done * LEAST_A_ROUND || told.uses.length === 0)
    wrong.push('too little was acknowledged to try anything');

  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${values.store}: ${done} kills in ${seconds} s; acknowledged ${told.decisions.length} decisions, ${told.tokens.length} tokens and ` +
      `${told.uses.length} uses of ${approvals.length} approvals; ${chain.records} records in the chain; ${wrong.length} wrong\n`,
  );
} finally {
  if (api !== null && api.exitCode === null && api.signalCode === null) {
    const gone = once(api, 'exit');
    api.kill('SIGKILL');
    await gone;
  }
  await postgres?.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const line of wrong) process.stdout.write(`WRONG: ${line}\n`);
if (wrong.length > 0) process.exitCode = 1;

/** As the conformance suite starts one. */
async function startPostgres() {
  const { PostgresServer } = await import(path.join(root, 'libs/adapters/dist/store/testing/index.js'));
  return PostgresServer.start();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
