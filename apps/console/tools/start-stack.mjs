// Runs once before all end-to-end files: a seeded store, the built API over it, and a browser. What the specs need to know goes into
// one variable of the environment (src/e2e/stack.spec-support.ts reads it).
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';

const CONSOLE = path.resolve(import.meta.dirname, '..');
const API = path.resolve(CONSOLE, '../api/dist/bundle.cjs');
const SEEDED_ROWS = 100_000;

export default async function startStack() {
  const executablePath = findChromium(process.env);
  if (executablePath === null) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'wstack-console-'));
  const screenshots = path.join(CONSOLE, 'dist-screenshots');
  rmSync(screenshots, { recursive: true, force: true });
  mkdirSync(screenshots, { recursive: true });
  const [tokens, browser] = await Promise.all([
    seed(path.join(folder, 'control/control.db')),
    // Containers and CI give no user namespaces; the pages are our own.
    chromium.launchServer({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] }),
  ]);
  const api = startApi(folder);
  globalThis.__console = { folder, api, browser };
  const url = await listening(api);
  const told = { url, browser: browser.wsEndpoint(), tokens, screenshots, rows: SEEDED_ROWS };
  process.env.WRONGSTACK_CONSOLE_STACK = JSON.stringify(told);
}

async function seed(store) {
  const script = path.join(CONSOLE, 'tools/seed-store.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, store, String(SEEDED_ROWS)]);
  return JSON.parse(stdout);
}

function startApi(folder) {
  return spawn(process.execPath, [API], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: '0',
      WRONGSTACK_HOME: folder,
      WRONGSTACK_PROJECT: folder,
      WRONGSTACK_CONSOLE_DIR: path.join(CONSOLE, 'dist'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function listening(api) {
  for await (const line of createInterface({ input: api.stdout })) {
    const url = /^wrongstack api listening on (http:\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    return url;
  }
  throw new Error('the API ended before it listened');
}
