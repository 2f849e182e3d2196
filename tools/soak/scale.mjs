// `node tools/soak/scale.mjs [--tasks=10000] [--pollers=200]`: many tasks and many who ask about them, and one
// task that prints a gigabyte; the memory of each process is looked at meanwhile. Build the API first.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf } from './judge.mjs';
import { requireRedis, Stack } from './stack.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    pollers: { type: 'string', default: '200' },
  },
});
const TASKS = Number(values.tasks);
const POLLERS = Number(values.pollers);
const FINAL = new Set(['completed', 'failed', 'killed', 'lost']);
requireRedis();

const wrong = [];
const stack = await Stack.start({ patienceMs: 60_000 });
try {
  await manyTasks();
  await gigabyte();
} finally {
  await stack.stop();
}
for (const line of wrong) process.stdout.write(`WRONG: ${line}\n`);
if (wrong.length > 0) process.exitCode = 1;

async function manyTasks() {
  const asked = [];
  const memory = [];
  const began = performance.now();
  await atOnce(50, TASKS, async () => void asked.push(await stack.begin(0, 0)));
  const refused = asked.filter(({ id }) => id === null);
  const queued = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${asked.length - refused.length} queued in ${queued} s, ${refused.length} refused: ${JSON.stringify(refused[0]?.answer ?? null)}\n`,
  );

  const open = new Map(asked.filter(({ id }) => id !== null).map((one) => [one.id, one]));
  const taken = open.size;
  const ended = {};
  let polls = 0;
  await stack.startWorker();
  const workers = [stack.worker];
  const poller = async () => {
    while (open.size > 0) {
      const ids = [...open.keys()];
      const id = ids[Math.floor(Math.random() * ids.length)];
      const { state, transitions } = await stack.request('GET', `/v1/tasks/${id}`);
      polls += 1;
      if (!FINAL.has(state) || !open.delete(id)) continue;
      ended[state] = (ended[state] ?? 0) + 1;
      if (transitions.filter((step) => FINAL.has(step.state)).length !== 1)
        wrong.push(`${id} ended more than once`);
    }
  };
  const watch = setInterval(
    () => memory.push([residentMb(stack.api.pid), residentMb(workers[0].pid)]),
    1_000,
  );
  await Promise.all(Array.from({ length: POLLERS }, poller));
  clearInterval(watch);
  let runs = 0;
  for (const { id, name } of asked) {
    const did = linesOf(stack, 'runs', name).join();
    if (did !== '') runs += 1;
    if (did !== (id === null ? '' : 'begin,end')) wrong.push(`${name} ${id} did ${did}`);
  }
  const [early, late] = [memory.slice(5, 15), memory.slice(-10)].map((part) =>
    Math.max(...part.map(([api]) => api)),
  );
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${taken} tasks ended (${JSON.stringify(ended)}), ${runs} ran once, ${polls} polls by ${POLLERS}, ${seconds} s; ` +
      `API ${early} MB early and ${late} MB late, worker at most ${Math.max(...memory.map(([, worker]) => worker))} MB\n`,
  );
  if (late > early * 1.25 + 20) wrong.push(`the API grew from ${early} to ${late} MB`);
}

async function gigabyte() {
  if (stack.worker.exitCode !== null) await stack.startWorker();
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
  if (most.worker > 200 || most.api > 200)
    wrong.push(`a gigabyte took ${most.worker} MB in the worker, ${most.api} MB in the API`);
}

async function atOnce(width, count, work) {
  let left = count;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await work();
    }),
  );
}

function residentMb(pid) {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
