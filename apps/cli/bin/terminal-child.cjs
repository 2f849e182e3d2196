'use strict';
// Runs one command inside an editor's terminal, for the agent that had the terminal made. What to run comes over a socket
// and not as arguments, because some editors join arguments and give them to a shell; and what is shown comes from the
// agent too, with secrets masked. When the agent is gone, the command and everything that it started go as well.
const { createHash } = require('node:crypto');
const { spawn } = require('node:child_process');
const { createConnection } = require('node:net');
const { createInterface } = require('node:readline');

const GRACE_MS = 2000;
const [place = '', token = '', digest = ''] = process.argv.slice(2);
const agent = createConnection(place);
let child = null;
let status = 1;

const say = (message) => agent.write(`${JSON.stringify(message)}\n`);

agent.on('connect', () => say({ type: 'hello', token, pid: process.pid }));
agent.on('error', () => undefined);
agent.on('close', leave);
const lines = createInterface({ input: agent });
// It passes the socket's errors on, and one that nobody hears would end us before the command.
lines.on('error', () => undefined);
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'show') process.stdout.write(message.text);
  if (message.type === 'start') start(message.program);
  if (message.type === 'end') {
    status = message.status;
    agent.end();
  }
});
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, stop);

/** @param {string} program the text whose digest the agent put on our command line: nobody else's command runs here */
function start(program) {
  if (child !== null) return;
  if (createHash('sha256').update(program).digest('hex') !== digest) return agent.destroy();
  const { argv, cwd, env } = JSON.parse(program);
  try {
    child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  } catch (error) {
    return void say({ type: 'failed', code: error.code ?? 'unknown' });
  }
  child.once('error', (error) => say({ type: 'failed', code: error.code ?? 'unknown' }));
  child.once('spawn', () => say({ type: 'started', pid: child.pid }));
  child.once('exit', (exitCode, signal) => say({ type: 'exit', exitCode, signal }));
  relay(child.stdout, 'stdout');
  relay(child.stderr, 'stderr');
}

function relay(stream, name) {
  stream.on('data', (bytes) => {
    if (say({ type: name, bytes: bytes.toString('base64') })) return;
    stream.pause();
    agent.once('drain', () => stream.resume());
  });
  stream.once('close', () => say({ type: `${name}-end` }));
}

function stop() {
  if (child === null) leave();
  else signalGroup('SIGTERM');
}

function leave() {
  if (!signalGroup('SIGTERM')) process.exit(status);
  setTimeout(() => {
    signalGroup('SIGKILL');
    process.exit(status);
  }, GRACE_MS);
}

/** Whether anybody of the command's group is still there. */
function signalGroup(signal) {
  if (child?.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
