// `node tools/soak/agents.mjs [--agents=10000] [--minutes=5] [--ship-every=300] [--processes=1]`: many enrolled clients on one replica. Build
// the API first. Each waits for its bundle by long polls of 55 s, says after each that it lives, and ships a batch of 5 records every
// `--ship-every` seconds. At the end a policy is published, and what was acknowledged is looked for. Ends with 1 where something was lost,
// memory grew, or the policy took longer than 5 s to reach somebody.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compareAudit } from './agents/compare-audit.mjs';
import { FleetProcesses } from './agents/fleet-processes.mjs';
import { MeasuredApi } from './agents/measured-api.mjs';
import { publish } from './agents/publish.mjs';
import { AGENTS_OF_ONE_OWNER, RECORDS_A_BATCH, WAIT_SECONDS } from './agents/rates.mjs';

const option = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({
  options: {
    ...{ agents: option('10000'), minutes: option('5') },
    ...{ 'ship-every': option('300'), processes: option('1') },
  },
});
const [agents, minutes, shipEvery, processes] = ['agents', 'minutes', 'ship-every', 'processes'].map(
  (name) => {
    const number = Number(values[name]);
    if (!(number > 0)) throw new Error(`--${name} takes a number above 0.`);
    return number;
  },
);
const PUBLISH_MS = 5_000;
const PATIENCE_MS = 60_000;
const SAMPLE_MS = 1_000;
/** What a heap that is as large as before may differ by between two collections. */
const GROWTH = { share: 1.15, mib: 30 };

const say = (line) => process.stdout.write(`${line}\n`);
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const median = (numbers) =>
  at(
    [...numbers].sort((a, b) => a - b),
    0.5,
  );
const api = new MeasuredApi();
const fleet = new FleetProcesses(processes);
const wrong = [];
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    fleet.stop();
    void api.stop().finally(() => process.exit(1));
  });
try {
  await api.start();
  await publish(api, 0);
  const owners = [];
  for (let number = 0; number < agents / AGENTS_OF_ONE_OWNER; number += 1) {
    const service = { id: `owner-${number}`, roles: ['developer'], teams: [`team-${number}`] };
    const { token } = await api.send('POST', '/v1/tokens', { name: service.id, service });
    owners.push(token);
  }
  const began = Date.now();
  const share = (index) =>
    Math.floor((agents * (index + 1)) / processes) - Math.floor((agents * index) / processes);
  await fleet.ask('enrol', (index) => ({
    ...{ url: api.url, owners, shipEveryMs: shipEvery * 1000 },
    ...{ from: Math.floor((agents * index) / processes), count: share(index) },
  }));
  say(`${agents} agents of ${owners.length} teams enrolled in ${Math.round((Date.now() - began) / 1000)} s`);
  say(`each: a long poll of ${WAIT_SECONDS} s, a heartbeat, ${RECORDS_A_BATCH} records every ${shipEvery} s`);

  await fleet.ask('start');
  for (let waited = 0; ; waited += SAMPLE_MS) {
    const { connected, failures } = await fleet.counts();
    if (connected === agents) break;
    if (waited % 10_000 === 9_000)
      process.stderr.write(`${connected} connected ${JSON.stringify(failures)}\n`);
    if (waited > 3 * PATIENCE_MS)
      throw new Error(`only ${connected} are connected: ${JSON.stringify(failures)}`);
    await sleep(SAMPLE_MS);
  }
  say(`all connected after ${Math.round((Date.now() - began) / 1000)} s, ${Math.round(api.memory())} MiB`);

  const [before, cpu, memory] = [await fleet.counts(), api.cpu(), []];
  while (Date.now() < before.at + minutes * 60_000) {
    memory.push(api.memory());
    await sleep(SAMPLE_MS);
  }
  const after = await fleet.counts();
  const [seconds, requests] = [(after.at - before.at) / 1000, after.requests - before.requests];
  const unchanged = after.unchanged - before.unchanged;
  const third = Math.ceil(memory.length / 3);
  const [first, last] = [median(memory.slice(0, third)), median(memory.slice(-third))];
  say(
    `${Math.round(seconds)} s: ${Math.round(requests / seconds)} requests/s, ${unchanged} polls answered 304, ` +
      `${Math.round(((api.cpu() - cpu) / seconds) * 100)} % of a core, memory ${Math.round(first)} MiB in the first third, ` +
      `${Math.round(last)} in the last, at most ${Math.round(Math.max(...memory))}`,
  );
  if (last > first * GROWTH.share && last > first + GROWTH.mib) wrong.push('memory grew');

  const cpuBefore = api.cpu();
  const asked = await publish(api, 1);
  let delays = [];
  do {
    await sleep(100);
    delays = (await fleet.ask('delays', () => ({ revision: 2, at: asked }))).flat();
  } while (delays.includes(null) && Date.now() < asked + PATIENCE_MS);
  const reached = delays.filter((delay) => delay !== null).sort((a, b) => a - b);
  say(
    `published: ${reached.length} reached, p50 ${at(reached, 0.5)} ms, p99 ${at(reached, 0.99)} ms, last ${reached.at(-1)} ms; ` +
      `${(api.cpu() - cpuBefore).toFixed(1)} s of CPU`,
  );
  if (reached.length < agents) wrong.push(`${agents - reached.length} never heard of it`);
  else if (reached.at(-1) > PUBLISH_MS) wrong.push(`it took ${reached.at(-1)} ms to reach all`);

  // The heartbeats that follow it, all at once.
  await sleep(Math.min(20_000, agents * 2));
  const told = (await fleet.ask('finish')).flat();
  const { failures } = await fleet.counts();
  const acknowledged = told.reduce((total, [, records]) => total + records, 0);
  const compared = await compareAudit(api, told);
  wrong.push(...compared.wrong.slice(0, 10));
  say(
    `${acknowledged} records acknowledged, chain of ${compared.records}, ${Math.round(api.memory())} MiB at the end`,
  );
  for (const [kind, count] of Object.entries(failures)) wrong.push(`${count} times: ${kind}`);
} catch (error) {
  wrong.push(error.stack);
} finally {
  fleet.stop();
  await api.stop();
}
for (const line of wrong) say(`WRONG: ${line}`);
say(`${agents} agents; ${wrong.length} wrong`);
if (wrong.length > 0) process.exitCode = 1;
