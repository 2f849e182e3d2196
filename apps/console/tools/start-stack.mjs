// Runs once before all end-to-end files: a seeded store, the built API over it, and a browser. What the specs need to know goes into
// one variable of the environment (src/e2e/stack.spec-support.ts reads it).
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { listening, seed, startApi } from './api-process.mjs';
import { findChromium } from './find-chromium.mjs';

const CONSOLE = path.resolve(import.meta.dirname, '..');
/** Forty pages: enough for what a long list can get wrong. How 100,000 scroll is measured by `npm run bench -- --only console`. */
const SEEDED_ROWS = 20_000;

export default async function startStack() {
  const executablePath = findChromium(process.env);
  if (executablePath === null) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'wstack-console-'));
  const screenshots = path.join(CONSOLE, 'dist-screenshots');
  rmSync(screenshots, { recursive: true, force: true });
  mkdirSync(screenshots, { recursive: true });
  const [tokens, browser] = await Promise.all([
    seed(folder, SEEDED_ROWS),
    // Containers and CI give no user namespaces; the pages are our own.
    chromium.launchServer({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] }),
  ]);
  const api = startApi(folder);
  globalThis.__console = { folder, api, browser };
  const url = await listening(api);
  const told = { url, browser: browser.wsEndpoint(), tokens, screenshots, rows: SEEDED_ROWS };
  process.env.WRONGSTACK_CONSOLE_STACK = JSON.stringify(told);
}
