// `node apps/console/tools/own-api.mjs ['{"NAME":"more environment"}']`: an API of its own for a spec, over an empty store with people alone. Prints where it listens and a
// token a person, as JSON. Lines on stdin: `kill` (as a machine that is switched off), `start` (again, at the same address); each is
// answered with a line. Ends, and leaves nothing, when stdin does.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { listening, seed, startApi } from './api-process.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'wstack-console-own-'));
const tokens = await seed(folder, 0);
const more = JSON.parse(process.argv[2] ?? '{}');
let api = startApi(folder, 0, more);
const url = await listening(api);
const say = (words) => process.stdout.write(`${JSON.stringify(words)}\n`);
say({ url, tokens });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'kill') await kill();
  else {
    api = startApi(folder, Number(new URL(url).port), more);
    await listening(api);
  }
  say({ done: line });
}
await kill();
rmSync(folder, { recursive: true, force: true });

async function kill() {
  if (api.exitCode !== null || api.signalCode !== null) return;
  const ended = once(api, 'exit');
  api.kill('SIGKILL');
  await ended;
}
