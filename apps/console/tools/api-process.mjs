// The built API as a process of its own, over a seeded store of its own.
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const CONSOLE = path.resolve(import.meta.dirname, '..');
const API = path.resolve(CONSOLE, '../api/dist/bundle.cjs');

/** People, and so many decisions, in a store below this folder. Gives a token a person. */
export async function seed(folder, rows) {
  const script = path.join(CONSOLE, 'tools/seed-store.mjs');
  const store = path.join(folder, 'control/control.db');
  const { stdout } = await promisify(execFile)(process.execPath, [script, store, String(rows)]);
  return JSON.parse(stdout);
}

/** `port` 0: any that is free. `more`: of its environment. */
export function startApi(folder, port = 0, more = {}) {
  return spawn(process.execPath, [API], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: String(port),
      WRONGSTACK_HOME: folder,
      WRONGSTACK_PROJECT: folder,
      WRONGSTACK_CONSOLE_DIR: path.join(CONSOLE, 'dist'),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Its address, as soon as it listens there. */
export async function listening(api) {
  for await (const line of createInterface({ input: api.stdout })) {
    const url = /^wrongstack api listening on (http:\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    return url;
  }
  throw new Error('the API ended before it listened');
}
