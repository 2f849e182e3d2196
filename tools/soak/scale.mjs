// `node tools/soak/scale.mjs [--tasks=10000] [--pollers=200] [--owners=8]`: one task that prints a gigabyte, then many
// tasks and many who ask about them; the memory of each process is looked at meanwhile. Build the API first. With the owners that
// are said nobody queues more than the API lets one caller ask a minute, and each has more tasks than are taken unasked.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf } from './judge.mjs';
import { requireRedis, Stack } from './stack.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    pollers: { type: 'string', default: '200' },
    owners: { type: 'string', default: '8' },
  },
});
const TASKS = Number(values.tasks);
const POLLERS = Number(values.pollers);
const OWNERS = Number(values.owners);
const FINAL = new Set(['completed', 'failed', 'killed', 'lost']);
requireRedis();

const wrong = [];
const each = String(Math.ceil(TASKS / OWNERS));
const stack = await Stack.start({ patienceMs: 60_000, api: { TASKS_PER_OWNER: each } });
try {
  await gigabyte();
  await manyTasks();
} finally {
  await stack.stop();
}
for (const line of wrong) process.stdout.write(`WRONG: ${line}\n`);
if (wrong.length > 0) process.exitCode = 1;

async function manyTasks() {
  const asked = await queueAll();
  const open = asked.filter(({ id }) => id !== null);
  const taken = open.length;
  await stack.startWorker();
  const began = performance.now();
  const memory = [];
  const watch = setInterval(
    () => memory.push([residentMb(stack.api.pid), residentMb(stack.worker.pid)]),
    1_000,
  );
  const { ended, polls } = await pollAll(open);
  clearInterval(watch);
  let runs = 0;
  for (const { id, name } of asked) {
    const did = linesOf(stack, 'runs', name).join();
    if (did !== '') runs += 1;
    if (did !== (id === null ? '' : 'begin,end')) wrong.push(`${name} ${id} did ${did}`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const [early, late] = halves(memory.map(([api]) => api)).map((part) => Math.max(...part));
  process.stdout.write(
    `${taken} tasks ended (${JSON.stringify(ended)}), ${runs} ran once, ${polls} polls by ${POLLERS}, ${seconds} s; ` +
      `API at most ${early} MB in the first half and ${late} MB in the second, worker ${Math.max(...memory.map(([, worker]) => worker))} MB\n`,
  );
  if (late > early * 1.1 + 10) wrong.push(`the API grew from ${early} to ${late} MB`);
}

async function queueAll() {
  const tokens = [];
  for (let index = 0; index < OWNERS; index += 1) tokens.push(await stack.newOwner(`owner-${index}`));
  const asked = [];
  const began = performance.now();
  await atOnce(50, TASKS, async (index) => {
    for (;;) {
      const one = await stack.begin(0, 0, tokens[index % OWNERS]);
      if (await mayAskAgain(one.answer)) continue;
      asked.push(one);
      return;
    }
  });
  const refused = asked.filter(({ id }) => id === null);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${asked.length - refused.length} queued by ${OWNERS} owners in ${seconds} s, ${refused.length} refused: ${JSON.stringify(refused[0]?.answer ?? null)}\n`,
  );
  if (refused.length > 0) wrong.push(`${refused.length} tasks were refused`);
  return asked;
}

/** Until each has ended, which it says once. */
async function pollAll(open) {
  const ended = {};
  let polls = 0;
  const poller = async () => {
    while (open.length > 0) {
      const one = open[Math.floor(Math.random() * open.length)];
      const answer = await stack.request('GET', `/v1/tasks/${one.id}`, undefined, { token: one.token });
      if (await mayAskAgain(answer)) continue;
      polls += 1;
      const at = open.indexOf(one);
      if (!FINAL.has(answer.state) || at === -1) continue;
      open[at] = open.at(-1);
      open.pop();
      ended[answer.state] = (ended[answer.state] ?? 0) + 1;
      if (answer.transitions.filter((step) => FINAL.has(step.state)).length !== 1)
        wrong.push(`${one.id} ended more than once`);
    }
  };
  await Promise.all(Array.from({ length: POLLERS }, poller));
  return { ended, polls };
}

/** A caller may ask so often a minute; whoever was told so waits a little. */
async function mayAskAgain({ http, code }) {
  if (http !== 429 || code !== 'request.too_many') return false;
  await sleep(500 + Math.random() * 500);
  return true;
}

function halves(samples) {
  const middle = Math.ceil(samples.length / 2);
  return [samples.slice(0, middle), samples.slice(middle - 1)];
}

async function gigabyte() {
  await stack.startWorker();
  const body = { input: { command: './gigabyte.sh', run_in_background: true } };
  const { task } = await stack.request('POST', '/v1/tools/bash/calls', body);
  let most = { api: 0, worker: 0 };
  let state = 'queued';
  const began = performance.now();
  while (!FINAL.has(state)) {
    ({ state } = await stack.request('GET', `/v1/tasks/${task.id}`));
    most = {
      api: Math.max(most.api, residentMb(stack.api.pid)),
      worker: Math.max(most.worker, residentMb(stack.worker.pid)),
    };
    await sleep(100);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const { outputBytes, exit } = await stack.request('GET', `/v1/tasks/${task.id}`);
  const tail = await stack.request('GET', `/v1/tasks/${task.id}/output?cursor=${outputBytes - 50}`);
  process.stdout.write(
    `a gigabyte: ${state} in ${seconds} s, ${outputBytes} bytes, API at most ${most.api} MB, worker at most ${most.worker} MB, ` +
      `tail ${JSON.stringify(tail.text?.slice(-20))}\n`,
  );
  if (state !== 'completed') wrong.push(`the gigabyte is ${state}: ${exit?.reason}`);
  if (!tail.text?.endsWith('the very end\n')) wrong.push('the end of the gigabyte is not there');
  await stack.kill(stack.worker);
  if (most.worker > 200 || most.api > 200)
    wrong.push(`a gigabyte took ${most.worker} MB in the worker, ${most.api} MB in the API`);
}

async function atOnce(width, count, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

function residentMb(pid) {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
