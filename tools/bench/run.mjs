// `npm run bench [-- --only NAME]… [--check] [--json] [--rounds=N] [--help]`: CPU, not wall time (but for what a person waits
// for), as medians and as ratios of one and the same run. Build first. Only --check turns a missed limit into exit code 1.
import { parseArgs } from 'node:util';
import { groups, rowOf } from './groups.mjs';
import { printTable } from './print-table.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('bench: --rounds takes a whole number from 1.');
for (const name of values.only) {
  if (!groups.some((group) => group.name === name))
    throw new Error(`bench: --only takes one of ${groups.map((group) => group.name).join(', ')}.`);
}

if (values.help) showHelp();
else await measureAll();

async function measureAll() {
  const report = { node: process.version, rounds, broken: [] };
  let missed = false;
  for (const group of groups) {
    if (values.only.length > 0 && !values.only.includes(group.name)) continue;
    const { results, broken } = await measured(group);
    report[group.name] = results;
    report.broken.push(...broken);
    missed ||= broken.length > 0 || results.some(({ ok }) => !ok);
    if (!values.json) show(group, results, broken);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  // A group that failed may have left something open, which is no reason to stay.
  process.stdout.write('', () => process.exit(values.check && missed ? 1 : 0));
}

/** One group that cannot be measured keeps no other from it. */
async function measured({ name, measure }) {
  try {
    const { results, broken = [] } = await measure({ rounds });
    return { results, broken };
  } catch (error) {
    return { results: [], broken: [{ name, error: error.message }] };
  }
}

function show(group, results, broken) {
  if (results.length > 0)
    printTable(
      group.header,
      results.map((result) => rowOf(group, result)),
    );
  for (const { name, error } of broken) process.stdout.write(`not measured: ${name}: ${error}\n`);
  process.stdout.write('\n');
}

function showHelp() {
  process.stdout.write(`npm run bench -- [--only NAME]… [--rounds=N] [--check] [--json]

--only    one group, which may be said several times:
${groups.map(({ name, about }) => `            ${name.padEnd(12)}${about}`).join('\n')}
--rounds  how often each thing is measured; 15 unless told
--check   ends with 1 when a limit is missed or something could not be measured
--json    all the numbers, for a program
`);
}
