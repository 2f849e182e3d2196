// `node tools/soak/killed-runs.mjs [--runs=200] [--machines=4] [--parallel=4] [--seed=n]`: command lines that are killed in the middle of their
// runs, against a real API. At the end three counts of decisions must be the same: those on the machines' disks, those in the organisation's
// audit log, and the fleet's counters. Build the API and the command line first.
import { parseArgs } from 'node:util';
import { Fleet } from './fleet.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    machines: { type: 'string', default: '4' },
    parallel: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [runs, machines, parallel, seed] = ['runs', 'machines', 'parallel', 'seed'].map((name) => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1.`);
  return value;
});

/** The same kills for the same seed, as far as a machine repeats itself. */
function randomOf(state) {
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function text(counts) {
  return Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');
}

const MOST_ROUNDS = 20;
const random = randomOf(seed);
const began = performance.now();
const fleet = await Fleet.start(machines);
try {
  // How long a whole run takes here and now: kills fall anywhere in it, and some after it.
  const whole = await fleet.timeOfOne();
  let [left, killed] = [runs, 0];
  const share = async () => {
    while (left > 0) {
      left -= 1;
      const at = random() * whole * 1.1;
      if (await fleet.machines[left % machines].killedRun(at)) killed += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, share));
  // A command waits for the API only so long at its end, and leaves the rest to the next one.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const machine of fleet.machines) await machine.shipTheRest();
    if (text(await fleet.decisionsOnDisk()) === text(await fleet.decisionsInLog())) break;
  }

  const onDisk = await fleet.decisionsOnDisk();
  const inLog = await fleet.decisionsInLog();
  const counted = await fleet.decisionsCounted();
  const tokens = await fleet.tokens();
  const took = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${runs} runs, ${killed} killed, on ${machines} machines in ${took} s (seed ${seed}, a whole run takes ${Math.round(whole)} ms)\n` +
      `decisions on disk: ${text(onDisk)}\n` +
      `in the audit log:  ${text(inLog)}\n` +
      `fleet's counters:  ${text(counted)}\n` +
      `tokens in the sessions' logs: ${tokens.logged}, reported: ${tokens.reported}\n`,
  );
  const wrong = [];
  const total = Object.values(onDisk).reduce((sum, count) => sum + count, 0);
  if (total === 0) wrong.push('nothing was decided: the kills came too early to try anything');
  if (text(onDisk) !== text(inLog)) wrong.push('the audit log is not what the machines decided');
  if (text(inLog) !== text(counted)) wrong.push("the fleet's counters are not those of the audit log");
  // What a model said is in the log before it is reported, and reported before the next request: a kill loses one turn at most.
  const lost = tokens.logged - tokens.reported;
  if (lost < 0) wrong.push('more tokens are reported than were used');
  if (lost > killed * tokens.ofOneTurn) wrong.push('a kill lost more than one turn');
  for (const line of wrong) process.stdout.write(`WRONG: ${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await fleet.stop();
}
