// One round: tasks run and wait, something goes wrong in the middle, more tasks are asked for while it does, and in the end
// each is judged.
import { setTimeout as sleep } from 'node:timers/promises';
import { FAULTS } from './faults.mjs';
import { judge, linesOf } from './judge.mjs';

const ARRIVES_MS = 5_000;
const FINAL = new Set(['completed', 'failed', 'killed', 'lost']);

export async function round(stack, faultName, options) {
  const { tasks, settleMs } = options;
  const fault = FAULTS[faultName];
  if (stack.worker === undefined || stack.worker.exitCode !== null || stack.worker.signalCode !== null) {
    await stack.startWorker();
  }
  // Some end before the fault, some are in their midst, some wait for a place.
  const asked = await Promise.all(
    Array.from({ length: tasks }, (_, index) => stack.begin(2 + (index % 5) * 3, 0.3 + (index % 3) * 0.1)),
  );
  for (
    let turn = 0;
    turn < 200 && asked.every(({ name }) => linesOf(stack, 'runs', name).length === 0);
    turn += 1
  ) {
    await sleep(50);
  }
  await sleep(500 + Math.random() * 1_500);
  const seen = new Map(asked.map(({ name }) => [name, linesOf(stack, 'written', name).length]));
  const wrong = [];
  for (const { id, name } of asked)
    if (id !== null) wrong.push(...(await arrived(stack, id, seen.get(name))));

  const happening = fault.run(stack, options);
  await sleep(200);
  const during = await Promise.all([stack.begin(2, 0.3), stack.begin(2, 0.3)]);
  await happening;
  const afterwards = await stack.begin(1, 0.1);
  const all = [...asked, ...during, afterwards];

  const until = performance.now() + settleMs;
  for (const { id, name } of all) {
    while (id !== null && !FINAL.has((await stack.request('GET', `/v1/tasks/${id}`)).state)) {
      if (performance.now() > until) {
        wrong.push(`${name} ${id} has not ended ${settleMs} ms after the fault`);
        break;
      }
      await sleep(200);
    }
  }
  if (afterwards.id === null)
    wrong.push(`after the fault a task was refused: ${JSON.stringify(afterwards.answer)}`);
  for (const one of all) {
    // An API that was killed, or whose answer never came, has refused nothing: its caller does not know.
    const refused = { unsure: one.answer.http === undefined };
    if (one.id === null && one.answer.http !== 503 && !refused.unsure) {
      wrong.push(`${one.name} was refused with ${JSON.stringify(one.answer)}`);
    }
    wrong.push(...(await judge(stack, { ...one, refused, seen: seen.get(one.name) ?? 0 }, fault.states)));
  }
  return { tasks: all.length, ended: await endings(stack, all), wrong };
}

/** What was printed is kept soon, also on a machine that is busy; and what is kept before a fault must be there after it. */
async function arrived(stack, id, lines) {
  const began = performance.now();
  for (;;) {
    const { text = '' } = await stack.request('GET', `/v1/tasks/${id}/output`);
    const there = text.split('\n').length - 1;
    if (there >= lines) return [];
    if (performance.now() - began > ARRIVES_MS)
      return [`${id} printed ${lines} lines ${ARRIVES_MS} ms ago, of which ${there} are there`];
    await sleep(50);
  }
}

async function endings(stack, all) {
  const count = {};
  for (const { id } of all) {
    const state = id === null ? 'refused' : (await stack.request('GET', `/v1/tasks/${id}`)).state;
    count[state] = (count[state] ?? 0) + 1;
  }
  return count;
}
