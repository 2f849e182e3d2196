// What is measured as whole processes. `limit` is a multiple of `node -e 0` in the same run.
import path from 'node:path';
import { prepareHeadlessRun } from './headless-run.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const wstack = (...args) => [process.execPath, path.join(root, 'node_modules/.bin/wstack'), ...args];

/** @type {{ name: string, command: string[], limit: number }} */
export const baseline = { name: 'node -e 0', command: [process.execPath, '-e', '0'], limit: 1 };

/**
 * `prepare` makes what a run needs (a folder, a loopback server) and says how to clean up; `verify` throws when the first
 * run did not do what it is measured for.
 * @typedef {{ env?: NodeJS.ProcessEnv, cwd?: string, verify?: () => void, close?: () => Promise<void> | void }} Prepared
 * @type {{ name: string, command: string[], limit: number, status?: number, prepare?: () => Promise<Prepared> }[]}
 */
export const startUps = [
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
