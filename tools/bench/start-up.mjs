// What is measured as whole processes. `limit` is a multiple of `node -e 0` in the same run.
import path from 'node:path';
import { prepareHeadlessRun } from './headless-run.mjs';
import { cpuOf, interleave } from './measure.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const wstack = (...args) => [process.execPath, path.join(root, 'node_modules/.bin/wstack'), ...args];

/** @type {{ name: string, command: string[], limit: number }} */
const baseline = { name: 'node -e 0', command: [process.execPath, '-e', '0'], limit: 1 };

/**
 * `prepare` makes what a run needs (a folder, a loopback server) and says how to clean up; `verify` throws when the first
 * run did not do what it is measured for.
 * @typedef {{ env?: NodeJS.ProcessEnv, cwd?: string, verify?: () => void, close?: () => Promise<void> | void }} Prepared
 * @type {{ name: string, command: string[], limit: number, status?: number, prepare?: () => Promise<Prepared> }[]}
 */
const startUps = [
  { name: 'wstack --version', command: wstack('--version'), limit: 1.3 },
  { name: 'wstack --help', command: wstack('--help'), limit: 1.3 },
  { name: 'wstack tool list', command: wstack('tool', 'list'), limit: 2.5 },
  {
    name: 'wstack run, one tool call',
    command: wstack('run', 'How many lines has notes.txt?'),
    limit: 4,
    prepare: prepareHeadlessRun,
  },
];

export async function measureStartUp({ rounds }) {
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
  const results = runnable.map(({ name, limit }, index) => {
    const ratio = medians[index] / medians[0];
    return { name, milliseconds: medians[index], ratio, limit, ok: ratio <= limit };
  });
  return { results, broken };
}
