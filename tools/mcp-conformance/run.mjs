// `npm run conformance [-- server|client]`: the official MCP suite against what was built, our server and our client. It
// brings a Node 22 of its own, which the suite needs; ours runs on the Node that this is started with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const here = import.meta.dirname;
const bin = (name) => path.join(here, 'node_modules', '.bin', name);
const wstack = path.resolve(here, '../../apps/cli/bin/wstack.cjs');
/** Each runs a browser's part and a login; more at once would measure the machine instead of the client. */
const SIDE_BY_SIDE = 2;
const SCENARIO_MS = 60_000;

const wanted = process.argv[2] ?? 'both';
if (!['both', 'server', 'client'].includes(wanted))
  throw new Error(`conformance: server or client, not ${wanted}.`);
if (!existsSync(bin('conformance'))) {
  const npm = spawn('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) throw new Error('conformance: the suite could not be installed: npm said why.');
}
let failed = false;
if (wanted !== 'client') failed = !(await serverHalf()) || failed;
if (wanted !== 'server') failed = !(await clientHalf()) || failed;
process.exitCode = failed ? 1 : 0;

/** Every active server scenario. The named fixtures take the place of the tools; the server around them is the same. */
async function serverHalf() {
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
    return code === 0;
  } finally {
    server.kill('SIGTERM');
  }
}

/** Every client scenario of the protocol, drafts and old versions included. Extensions are not the protocol. */
async function clientHalf() {
  const { output } = await conformance(['list', '--client']);
  const scenarios = [...output.matchAll(/^ +- (\S+) \[(.*)\]$/gm)]
    .filter(([, , versions]) => versions !== 'extension')
    .map(([, name]) => name);
  if (scenarios.length === 0) throw new Error('conformance: the suite listed no client scenarios.');
  process.stdout.write(`\n=== CLIENT: ${scenarios.length} scenarios ===\n`);
  const waiting = [...scenarios];
  const missed = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!(await clientScenario(name))) missed.push(name);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  // Some measure milliseconds, which a busy machine does not have: once more, alone, decides.
  const wrong = [];
  for (const name of missed) if (!(await clientScenario(name, true))) wrong.push(name);
  process.stdout.write(
    `\nClient: ${scenarios.length - wrong.length} of ${scenarios.length} scenarios passed\n`,
  );
  return wrong.length === 0;
}

async function clientScenario(name, again = false) {
  // The suite splits this at spaces and gives it to a shell; so the folder is ours and the words are short.
  const args = [
    'client',
    '--command',
    'node client.mjs',
    '--scenario',
    name,
    '--timeout',
    String(SCENARIO_MS),
  ];
  const { code, output } = await conformance(args);
  const counts = /^Passed: .*$/m.exec(output)?.[0] ?? 'no result';
  // A warning is something that a client should do: it counts.
  const ok = code === 0 && / 0 warnings/.test(counts);
  process.stdout.write(`${ok ? '✓' : '✗'} ${name}${again ? ', alone' : ''}: ${counts}\n`);
  if (!ok) process.stdout.write(`${output}\n`);
  return ok;
}

async function conformance(args) {
  // `node` in the client's command is the one that runs this.
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
  const suite = spawn(bin('node'), [bin('conformance'), ...args], {
    cwd: here,
    env: { ...process.env, PATH, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    text(suite.stdout),
    text(suite.stderr),
    once(suite, 'close'),
  ]);
  return { code, output: output + errors };
}
