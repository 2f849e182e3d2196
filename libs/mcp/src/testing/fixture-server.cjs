'use strict';
// node fixture-server.cjs <folder>: an MCP server that does as its folder says. tools.json holds the definitions; calls and
// cancellations are appended to log.txt; a changed tools.json is announced when somebody touches it.
const fs = require('node:fs');
const path = require('node:path');
const folder = process.argv[2];
const file = (name) => path.join(folder, name);
const log = (line) => fs.appendFileSync(file('log.txt'), `${line}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tools = () => JSON.parse(fs.readFileSync(file('tools.json'), 'utf8'));

if (fs.existsSync(file('down'))) process.exit(1);
if (process.argv.includes('--stubborn')) process.on('SIGTERM', () => log('TERM ignored'));
if (process.argv.includes('--noise')) process.stdout.write('this line is no message\n');
log(`pid ${process.pid}`);
fs.watchFile(file('tools.json'), { interval: 20 }, () =>
  send({ method: 'notifications/tools/list_changed' }),
);

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'fixture', version: '1.0.0' },
    instructions: fs.existsSync(file('instructions.txt'))
      ? fs.readFileSync(file('instructions.txt'), 'utf8')
      : undefined,
  }),
  'tools/list': () => ({ tools: tools() }),
  ping: () => ({}),
};

function call(id, { name, arguments: input }) {
  log(`call ${name} ${JSON.stringify(input)}`);
  if (flood) startFlood();
  if (name === 'slow') return;
  if (name === 'crash') process.exit(9);
  if (name === 'odd') return send({ id, result: { content: 'no list' } });
  if (name === 'huge')
    return send({ id, result: { content: [{ type: 'text', text: 'y'.repeat(30 * 1024 * 1024) }] } });
  if (name === 'fail') return send({ id, error: { code: -32603, message: 'it broke' } });
  const text = name === 'env' ? JSON.stringify(process.env) : JSON.stringify(input);
  send({ id, result: { content: [{ type: 'text', text }] } });
}

// --flood=<what>: says that without an end, from the first tool call on.
const floods = {
  changes: () => send({ method: 'notifications/tools/list_changed' }),
  words: () => send({ method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(200) } }),
  requests: () => send({ id: `r${String(Math.random())}`, method: 'ping' }),
  unknown: () => send({ id: 999_999, result: {} }),
  garbage: () => process.stdout.write('{"not\n[]\nnull\n'),
};
const flood = floods[process.argv.find((word) => word.startsWith('--flood='))?.slice(8)];
let flooding = null;
const startFlood = () => {
  flooding ??= setInterval(() => {
    for (let count = 0; count < 1_000; count += 1) flood();
  }, 5);
};

// --late=N: answers only after so many milliseconds.
const late = Number(process.argv.find((word) => word.startsWith('--late='))?.slice(7) ?? 0);
const ready = new Promise((resolve) => setTimeout(resolve, late));

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === 'tools/call') call(id, params);
    else if (method === 'notifications/cancelled') log('cancelled');
    else if (id !== undefined && answers[method])
      void ready.then(() => send({ id, result: answers[method](params) }));
  }
});
process.stdin.on('end', () => {
  if (!process.argv.includes('--stubborn')) process.exit(0);
});
