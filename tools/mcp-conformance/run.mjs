// `node tools/mcp-conformance/run.mjs`: the official suite's active server scenarios against the built `wstack mcp serve`.
// Needs `npm ci --prefix tools/mcp-conformance` and a built command line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;
const bin = (name) => path.join(here, 'node_modules', '.bin', name);
const wstack = path.resolve(here, '../../apps/cli/bin/wstack.cjs');

const server = spawn(process.execPath, [wstack, 'mcp', 'serve', '--http', '--fixtures'], {
  stdio: ['ignore', 'inherit', 'pipe'],
});
try {
  const [line] = await Promise.race([
    once(createInterface(server.stderr), 'line'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`wstack mcp serve ended with ${code}: build the command line first.`);
    }),
  ]);
  const url = /http:\S+/.exec(line)?.[0];
  if (url === undefined) throw new Error(`wstack mcp serve said no address but: ${line}`);
  const suite = spawn(bin('node'), [bin('conformance'), 'server', '--url', url], { stdio: 'inherit' });
  const [code] = await once(suite, 'exit');
  process.exitCode = code ?? 1;
} finally {
  server.kill('SIGTERM');
}
