// `node tools/soak/run.mjs [--rounds=100] [--stacks=1] [--fault=name]… [--tasks=12]`: faults at the task queue, with real
// processes and a real Redis. Build the API first. Rounds are shared out among stacks that run side by side, since most of a
// round is waiting. `--pause`, `--cut` and `--block` are seconds; `--patience` is how long a worker may be silent.
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';
import { round } from './round.mjs';
import { requireRedis, Stack } from './stack.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    stacks: { type: 'string', default: '1' },
    fault: { type: 'string', multiple: true, default: Object.keys(FAULTS) },
    tasks: { type: 'string', default: '12' },
    pause: { type: 'string', default: '60' },
    cut: { type: 'string', default: '10' },
    block: { type: 'string', default: '40' },
    patience: { type: 'string', default: '30' },
  },
});
const seconds = (name) => Number(values[name]) * 1000;
const rounds = Number(values.rounds);
const stacks = Math.min(Number(values.stacks), rounds);
if (!(rounds >= 1 && stacks >= 1)) throw new Error('soak: --rounds and --stacks take whole numbers from 1.');
const options = {
  tasks: Number(values.tasks),
  pauseMs: seconds('pause'),
  cutMs: seconds('cut'),
  blockMs: seconds('block'),
  patienceMs: seconds('patience'),
  settleMs: seconds('patience') * 4 + 60_000,
};
requireRedis();

let failed = false;
for (const name of values.fault) {
  if (FAULTS[name] === undefined)
    throw new Error(`soak: no fault ${name}: one of ${Object.keys(FAULTS).join(', ')}.`);
  const began = performance.now();
  const total = { rounds: 0, tasks: 0, ended: {}, wrong: [] };
  let left = rounds;
  const share = async () => {
    const stack = await Stack.start(options);
    try {
      while (left-- > 0) {
        const result = await round(stack, name, options);
        total.rounds += 1;
        total.tasks += result.tasks;
        for (const [state, count] of Object.entries(result.ended))
          total.ended[state] = (total.ended[state] ?? 0) + count;
        for (const wrong of result.wrong) process.stdout.write(`  WRONG in ${name}: ${wrong}\n`);
        total.wrong.push(...result.wrong);
      }
    } finally {
      await stack.stop();
    }
  };
  await Promise.all(Array.from({ length: stacks }, share));
  const ended = Object.entries(total.ended).map(([state, count]) => `${count} ${state}`);
  const took = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `${name}: ${total.rounds} rounds, ${total.tasks} tasks (${ended.join(', ')}), ${total.wrong.length} wrong, ${took} s\n`,
  );
  failed ||= total.wrong.length > 0;
}
if (failed) process.exitCode = 1;
