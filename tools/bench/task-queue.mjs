// Background tasks with all their governance, side by side with bare BullMQ, in one run against one Redis.
import { buildBenches } from './build-benches.mjs';
import { startCountingRedis } from './counting-redis.mjs';
import { median } from './measure.mjs';
import { within } from './within.mjs';

const SEQUENTIAL = 100;
const AT_ONCE = 200;
const POLLS = 300;
/** A task that never ends would otherwise be waited for without end. */
const SAMPLE_MS = 45_000;

export async function measureTaskQueue({ rounds }) {
  const [module] = await buildBenches(['task-queue/index.bench-support.ts']);
  const redis = await startCountingRedis();
  const { openBare, openGoverned, openQueueOnly, putStatus } = module;
  // Databases of their own: two queues of one name would take each other's tasks.
  const [first, second, third] = [1, 2, 3].map((database) => `${redis.url}/${database}`);
  try {
    await putStatus(third);
    return [
      ...(await tripRows(redis, module)),
      ...(await compareRows('governed', await openGoverned(first), await openBare(third, 2), rounds)),
      ...(await compareRows('queue alone', await openQueueOnly(second), await openBare(third, 2), rounds)),
      ...(await latencyRows('governed', await openGoverned(first), await openBare(third, 0), rounds)),
      ...(await latencyRows('queue alone', await openQueueOnly(second), await openBare(third, 0), rounds)),
    ];
  } finally {
    await redis.stop();
  }
}

/**
 * Counted, not timed, with tasks one after the other: what both adapters send is scripts and one blocking read, so commands that
 * Redis itself counted stand for round trips. One of ours is no trip of its own: it is sent with BullMQ's `add`, and neither
 * waits for the other.
 */
async function tripRows(redis, { openBare, openGoverned, sentCommands }) {
  const commands = async (queue) => {
    await queue.run();
    const before = await sentCommands(redis.url);
    for (let index = 0; index < SEQUENTIAL; index += 1) await queue.run();
    // A task has ended when its end is known; what BullMQ still sends after it belongs to it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return ((await sentCommands(redis.url)) - before) / SEQUENTIAL;
  };
  const bare = await openBare(`${redis.url}/3`, 0);
  const bareCommands = await sample(commands(bare));
  await bare.close();
  const ours = await openGoverned(`${redis.countedUrl}/1`);
  const trips = (await sample(commands(ours))) - 1;
  const before = redis.trips();
  for (let index = 0; index < SEQUENTIAL; index += 1) await ours.poll();
  const poll = (redis.trips() - before) / SEQUENTIAL;
  await ours.close();
  return [
    // A sign of life a second and a look at the others every two are in it, hence the little more.
    row(
      'round trips of a task',
      trips,
      bareCommands,
      trips / bareCommands,
      trips <= bareCommands + 2.3,
      'bare + 2',
    ),
    row('round trips of a status poll', poll, 1, poll, poll <= 1.1, '1'),
  ];
}

async function compareRows(what, ours, bare, rounds) {
  const cpu = async (queue) => {
    const before = process.cpuUsage();
    await Promise.all(Array.from({ length: AT_ONCE }, () => queue.run()));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / AT_ONCE;
  };
  const { own, base, ratio } = await inTurns(ours, bare, rounds, cpu);
  await ours.close();
  await bare.close();
  return [
    row(
      `CPU us of a task, 200 at once (${what})`,
      own,
      base,
      ratio,
      ratio <= 1.5,
      'bare BullMQ + 2 trips x 1.5',
    ),
  ];
}

async function latencyRows(what, ours, bare, rounds) {
  const latency = async (queue) => {
    const samples = [];
    for (let index = 0; index < 30; index += 1) samples.push((await queue.run()) * 1_000);
    return median(samples);
  };
  const poll = async (queue) => {
    const before = performance.now();
    for (let index = 0; index < POLLS; index += 1) await queue.poll();
    return ((performance.now() - before) * 1_000) / POLLS;
  };
  const start = await inTurns(ours, bare, rounds, latency);
  const status = await inTurns(ours, bare, rounds, poll);
  await ours.close();
  await bare.close();
  return [
    row(
      `us from add to start (${what})`,
      start.own,
      start.base,
      start.ratio,
      start.ratio <= 1.5,
      'bare BullMQ x 1.5',
    ),
    row(
      `us of a status poll (${what})`,
      status.own,
      status.base,
      status.ratio,
      status.ratio <= 1.5,
      'HGETALL x 1.5',
    ),
  ];
}

async function inTurns(ours, bare, rounds, measure) {
  const own = [];
  const base = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair = [await sample(measure(ours)), await sample(measure(bare))];
    // The first one warms up.
    if (round < 0) continue;
    own.push(pair[0]);
    base.push(pair[1]);
  }
  const ratios = own.map((value, index) => value / base[index]);
  return { own: median(own), base: median(base), ratio: median(ratios) };
}

function sample(measuring) {
  return within(SAMPLE_MS, 'a sample of background tasks', measuring);
}

function row(name, ours, base, ratio, ok, limit) {
  return { name, ours, base, ratio, ok, limit };
}
