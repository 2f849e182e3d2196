// Background tasks with all their governance (decided when queued and again when they begin, audit log on disk, idempotency
// record), side by side with bare BullMQ, in one run against one Redis.
//
// What bare BullMQ is: a queue and a worker as its documentation shows them, in one process as ours are, doing what a worker
// without governance would do. For each number it is the one that the number is about:
// - round trips: bare does what ours does (the same program) and nothing else. Both through a proxy that counts.
// - CPU of a task that runs a program: bare runs the same body (the very tool bash with the same command, a child process
//   with its output), and makes the same round trips: as many commands in as many trips as ours, each as small as such a
//   record could be. Children that were waited for count on both sides.
// - CPU of a task that does nothing: the same two with an empty body, so that governance is all that is left. No task is
//   like that, and what is decided, recorded on disk and decided again is compared with nothing at all.
// - add to start: bare makes no trip more than BullMQ itself. Who adds and who works are two processes on both sides, as an
//   API and its workers are: else what is still done about the call would hold up its task.
// - poll: an HGETALL of a hash of the same size.
import { readFileSync } from 'node:fs';
import { buildBenches } from './build-benches.mjs';
import { startCountingRedis } from './counting-redis.mjs';
import { median } from './measure.mjs';
import { within } from './within.mjs';

const SEQUENTIAL = 100;
const EMPTY_AT_ONCE = 200;
const PROGRAMS_AT_ONCE = 40;
const POLLS = 300;
/** A task that never ends would otherwise be waited for without end. */
const SAMPLE_MS = 45_000;

export async function measureTaskQueue({ rounds }) {
  const [module] = await buildBenches(['task-queue/index.bench-support.ts']);
  const redis = await startCountingRedis();
  // Databases of their own: two queues of one name would take each other's tasks.
  const [first, second, third] = [1, 2, 3].map((database) => `${redis.url}/${database}`);
  const bare = (body, sameTrips) => module.openBare(third, { body, sameTrips });
  const bareApart = () => module.openBare(third, { body: 'nothing', sameTrips: false, apart: true });
  const governed = (body, options) => module.openGoverned(first, body, options);
  const queueOnly = (options) => module.openQueueOnly(second, options);
  const apart = { apart: true };
  try {
    await module.putStatus(third);
    return [
      ...(await tripRows(redis, module)),
      await cpuRow('of a task that runs a program', PROGRAMS_AT_ONCE, rounds, [
        await governed('program'),
        await bare('program', true),
      ]),
      await cpuRow('of a task that does nothing', EMPTY_AT_ONCE, rounds, [
        await governed('nothing'),
        await bare('nothing', true),
      ]),
      await cpuRow('of it in the queue alone', EMPTY_AT_ONCE, rounds, [
        await queueOnly(),
        await bare('nothing', true),
      ]),
      ...(await latencyRows('', rounds, [await governed('nothing', apart), await bareApart()])),
      ...(await latencyRows(' in the queue alone', rounds, [await queueOnly(apart), await bareApart()])),
    ];
  } finally {
    await redis.stop();
  }
}

/** Counted, not timed, with tasks one after the other. What is written in one go is one trip. */
async function tripRows(redis, { openBare, openGoverned }) {
  const tripsOf = async (work, times) => {
    await work();
    const before = redis.trips();
    for (let index = 0; index < times; index += 1) await work();
    return (redis.trips() - before) / times;
  };
  const bare = await openBare(`${redis.countedUrl}/3`, { body: 'program', sameTrips: false });
  const base = await sample(tripsOf(bare.run, SEQUENTIAL));
  await bare.close();
  const ours = await openGoverned(`${redis.countedUrl}/1`, 'program');
  const trips = await sample(tripsOf(ours.run, SEQUENTIAL));
  const poll = await sample(tripsOf(ours.poll, SEQUENTIAL));
  await ours.close();
  return [
    // A sign of life a second and a look at the others every two are in it.
    row('round trips of a task', trips, base, { ok: trips <= base + 2, limit: 'bare + 2' }),
    row('round trips of a status poll', poll, 1, { ok: poll <= 1.1, limit: '1' }),
  ];
}

async function cpuRow(what, atOnce, rounds, [ours, bare]) {
  const spent = async (queue) => {
    const before = cpuMicroseconds();
    await Promise.all(Array.from({ length: atOnce }, () => queue.run()));
    return (cpuMicroseconds() - before) / atOnce;
  };
  const { own, base, ratio } = await inTurns(ours, bare, rounds, spent);
  await ours.close();
  await bare.close();
  const limit = 'bare, same trips, x 1.5';
  return row(`CPU us ${what}, ${atOnce} at once`, own, base, { ratio, ok: ratio <= 1.5, limit });
}

async function latencyRows(what, rounds, [ours, bare]) {
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
  const rowOf = (name, { own, base, ratio }, limit) =>
    row(name, own, base, { ratio, ok: ratio <= 1.5, limit });
  return [
    rowOf(`us from add to start${what}`, start, 'bare x 1.5'),
    rowOf(`us of a status poll${what}`, status, 'HGETALL x 1.5'),
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

/** Of this process with all its threads, and of its children that have ended. */
function cpuMicroseconds() {
  const { user, system } = process.cpuUsage();
  return user + system + childTicks() * 10_000;
}

function childTicks() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return Number(fields[13]) + Number(fields[14]);
  } catch {
    // Where the system does not say, both sides go without.
    return 0;
  }
}

function sample(measuring) {
  return within(SAMPLE_MS, 'a sample of background tasks', measuring);
}

function row(name, ours, base, { ratio = ours / base, ok, limit }) {
  return { name, ours, base, ratio, ok, limit };
}
