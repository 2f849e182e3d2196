// What an editor's agent costs: until the first byte of an answer, beside a headless run that is asked the same of the same
// model; and the memory of one process with many sessions. Wall time, since that is what a person waits, as a ratio of
// medians taken in turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { prepareHeadlessRun } from './headless-run.mjs';
import { interleave } from './measure.mjs';

const wstack = path.resolve(import.meta.dirname, '../../node_modules/.bin/wstack');
const PROMPT = 'How many lines has notes.txt?';
const FIRST_BYTE_LIMIT = 1.2;
const SESSIONS = 20;
const MEMORY_LIMIT_MB = 300;

/** An editor with one agent: requests over its stdin, answers and updates from its stdout. */
class Editor {
  #id = 0;
  #waiting = new Map();
  onUpdate = () => undefined;

  constructor({ cwd, env }) {
    this.cwd = cwd;
    this.child = spawn(process.execPath, [wstack, 'acp'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface(this.child.stdout).on('line', (line) => {
      const { id, method, params, result, error } = JSON.parse(line);
      if (method === 'session/update') return this.onUpdate(params);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(`bench: the agent answered ${JSON.stringify(error)}`));
    });
    this.child.once('exit', (code) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`bench: wstack acp ended with ${code}`));
    });
  }

  request(method, params) {
    this.#id += 1;
    const id = this.#id;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async open() {
    const { sessionId } = await this.request('session/new', { cwd: this.cwd, mcpServers: [] });
    return sessionId;
  }

  prompt(sessionId) {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: PROMPT }] });
  }

  async leave() {
    if (this.child.exitCode !== null) return;
    this.child.stdin.end();
    await once(this.child, 'exit');
  }

  /** The most that it ever had, in MB. Null where the system does not say. */
  peakMegabytes() {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    } catch {
      return null;
    }
  }
}

async function started(place) {
  const editor = new Editor(place);
  await editor.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return editor;
}

/** From the prompt, in a session that is open, to the first piece of the answer. */
async function promptFirstByte(editor) {
  const session = await editor.open();
  let first = null;
  editor.onUpdate = ({ update }) => {
    if (update.sessionUpdate === 'agent_message_chunk') first ??= performance.now();
  };
  const asked = performance.now();
  await editor.prompt(session);
  await editor.request('session/close', { sessionId: session });
  if (first === null) throw new Error('bench: the agent answered nothing.');
  return first - asked;
}

/** The same from nothing: the process is started for it, as an editor's first prompt of the day. */
async function coldFirstByte(place) {
  const begun = performance.now();
  const editor = await started(place);
  const session = await editor.open();
  let first = null;
  editor.onUpdate = ({ update }) => {
    if (update.sessionUpdate === 'agent_message_chunk') first ??= performance.now();
  };
  await editor.prompt(session);
  await editor.leave();
  return (first ?? Infinity) - begun;
}

/** A headless run from its start to the first byte of the answer. */
async function headlessFirstByte({ cwd, env }) {
  const begun = performance.now();
  const child = spawn(process.execPath, [wstack, 'run', PROMPT], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [[first], [code]] = await Promise.all([
    once(child.stdout, 'data').then(() => [performance.now()]),
    once(child, 'exit'),
  ]);
  if (code !== 0) throw new Error(`bench: wstack run ended with ${code}.`);
  return first - begun;
}

async function memoryOfSessions(place) {
  const editor = await started(place);
  try {
    const sessions = [];
    for (let count = 0; count < SESSIONS; count += 1) sessions.push(await editor.open());
    await Promise.all(sessions.map((session) => editor.prompt(session)));
    return editor.peakMegabytes();
  } finally {
    await editor.leave();
  }
}

/** @returns {Promise<{ name: string, value: number | null, unit: 'ms' | 'MB', ratio: number | null, limit: number | null, ok: boolean }[]>} */
export async function measureEditor({ rounds }) {
  const place = await prepareHeadlessRun();
  try {
    const editor = await started(place);
    const [headless, prompt, cold] = await interleave(
      [() => headlessFirstByte(place), () => promptFirstByte(editor), () => coldFirstByte(place)],
      rounds,
      1,
    );
    await editor.leave();
    const firstByte = (name, value, limit) => {
      const ratio = value / headless;
      return { name, value, unit: 'ms', ratio, limit, ok: limit === null || ratio <= limit };
    };
    const megabytes = await memoryOfSessions(place);
    return [
      { name: 'wstack run, first byte', value: headless, unit: 'ms', ratio: 1, limit: 1, ok: true },
      firstByte('prompt in an open session, first byte', prompt, FIRST_BYTE_LIMIT),
      firstByte('wstack acp from its start, first byte', cold, null),
      {
        name: `${SESSIONS} sessions at work in one process, peak`,
        value: megabytes,
        unit: 'MB',
        ratio: null,
        limit: MEMORY_LIMIT_MB,
        ok: megabytes === null || megabytes < MEMORY_LIMIT_MB,
      },
    ];
  } finally {
    await place.close();
  }
}
