// `npm run bench [-- --check] [--json] [--rounds=N]`: CPU, not wall time (but for what a person waits for), as medians and
// as ratios of one and the same run. Build first. Only --check turns a missed limit into exit code 1.
import { parseArgs } from 'node:util';
import { measureEditor } from './editor.mjs';
import { measureInProcess } from './in-process.mjs';
import { cpuOf, interleave } from './measure.mjs';
import { baseline, startUps } from './start-up.mjs';
import { measureTaskQueue } from './task-queue.mjs';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('bench: --rounds takes a whole number from 1.');

const broken = [];
const runnable = [];
for (const { name, command, limit, status, prepare } of [baseline, ...startUps]) {
  let prepared = {};
  try {
    prepared = (await prepare?.()) ?? {};
    const { cwd, env } = prepared;
    const run = () => cpuOf(command, { cwd, env, status });
    await run();
    prepared.verify?.();
    runnable.push({ name, limit, prepared, run });
  } catch (error) {
    broken.push({ name, error: error.message });
    await prepared.close?.();
  }
}
const medians = await interleave(
  runnable.map(({ run }) => run),
  rounds,
  1,
);
for (const { prepared } of runnable) await prepared.close?.();
const startUp = runnable.map(({ name, limit }, index) => {
  const ratio = medians[index] / medians[0];
  return { name, milliseconds: round(medians[index]), ratio: round(ratio), limit, ok: ratio <= limit };
});
const inProcess = (await measureInProcess({ rounds })).map((result) => ({
  ...result,
  microseconds: round(result.microseconds),
  ratio: result.ratio === null ? null : round(result.ratio),
  ok: result.limit === null || result.ratio <= result.limit,
}));
const editor = (
  await measureEditor({ rounds }).catch((error) => {
    broken.push({ name: 'wstack acp', error: error.message });
    return [];
  })
).map((row) => ({
  ...row,
  value: row.value === null ? null : round(row.value),
  ratio: row.ratio === null ? null : round(row.ratio),
}));
let tasks = [];
try {
  tasks = await measureTaskQueue({ rounds });
} catch (error) {
  broken.push({ name: 'BACKGROUND TASKS BESIDE BARE BULLMQ', error: error.message });
}

if (values.json) {
  process.stdout.write(
    `${JSON.stringify({ node: process.version, rounds, startUp, inProcess, editor, broken })}\n`,
  );
} else {
  printTable(
    ['process', 'CPU ms', 'x node', 'limit', ''],
    startUp.map((row) => [row.name, row.milliseconds, row.ratio, row.limit, row.ok ? 'ok' : 'OVER']),
  );
  if (inProcess.length > 0) {
    process.stdout.write('\n');
    printTable(
      ['in process', 'CPU us', 'x base', 'limit', '', 'base'],
      inProcess.map((row) => [
        row.name,
        row.microseconds,
        row.ratio ?? '-',
        row.limit ?? '-',
        row.ok ? 'ok' : 'OVER',
        row.baseline ?? '',
      ]),
    );
  }
  if (editor.length > 0) {
    process.stdout.write('\n');
    printTable(
      ['in an editor', '', 'unit', 'x run', 'limit', ''],
      editor.map((row) => [
        row.name,
        row.value ?? '-',
        row.unit,
        row.ratio ?? '-',
        row.limit ?? '-',
        row.ok ? 'ok' : 'OVER',
      ]),
    );
  }
  if (tasks.length > 0) {
    process.stdout.write('\n');
    printTable(
      ['background tasks', 'ours', 'bare', 'ratio', '', 'limit'],
      tasks.map((row) => [
        row.name,
        round(row.ours),
        round(row.base),
        round(row.ratio),
        row.ok ? 'ok' : 'OVER',
        row.limit,
      ]),
    );
  }
  for (const { name, error } of broken) process.stdout.write(`not measured: ${name}: ${error}\n`);
}
const missed = broken.length > 0 || [...startUp, ...inProcess, ...editor].some(({ ok }) => !ok);
if (values.check && missed) process.exitCode = 1;

function round(value) {
  return Math.round(value * 100) / 100;
}

function printTable(header, rows) {
  const lines = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
