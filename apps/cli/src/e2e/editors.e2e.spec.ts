import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Sandbox } from './cli-process.spec-support.js';
import { Peer } from './peer.spec-support.js';

jest.setTimeout(40_000);

let sandbox: Sandbox;

afterEach(() => sandbox.remove());

const command = 'echo $$ > pid; sleep 60';

async function acpAsked(clientCapabilities: object): Promise<Peer> {
  sandbox = await Sandbox.create();
  const turns = [{ calls: [{ id: 'call-1', tool: 'bash', input: { command } }] }, { text: 'done' }];
  const script = await sandbox.write('~/script.json', JSON.stringify({ turns }));
  await sandbox.configure({ provider: { type: 'scripted', model: 'scripted-1', script } });
  const peer = new Peer(sandbox.start(['acp']));
  await peer.request('initialize', { protocolVersion: 1, clientCapabilities });
  const { sessionId } = await peer.request<{ sessionId: string }>('session/new', {
    cwd: sandbox.project,
    mcpServers: [],
  });
  peer.send('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  const question = await peer.until((message) => message['method'] === 'session/request_permission');
  const outcome = { outcome: 'selected', optionId: 'once' };
  peer.write({ jsonrpc: '2.0', id: question['id'], result: { outcome } });
  return peer;
}

async function acpAtWork(): Promise<{ peer: Peer; pid: number }> {
  const peer = await acpAsked({});
  return { peer, pid: await writtenPid() };
}

async function writtenPid(): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const text = await readFile(path.join(sandbox.project, 'pid'), 'utf8').catch(() => '');
    if (text.trim() !== '') return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the command never began');
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('wstack acp', () => {
  it('ends with its editor, and takes a running command along', async () => {
    const { peer, pid } = await acpAtWork();
    expect(alive(pid)).toBe(true);
    peer.child.stdin?.end();
    expect(await peer.exited).toBe(0);
    expect(alive(pid)).toBe(false);
  });

  it('has its commands in the editor’s terminals, where they end with it as well', async () => {
    const peer = await acpAsked({ terminal: true });
    const create = await peer.until(({ method }) => method === 'terminal/create');
    const {
      command: program,
      args,
      cwd,
    } = create['params'] as { command: string; args: string[]; cwd: string };
    const terminal = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const shown = text(terminal.stdout);
    peer.write({ jsonrpc: '2.0', id: create['id'], result: { terminalId: 'term-1' } });
    const pid = await writtenPid();
    peer.child.stdin?.end();
    expect(await peer.exited).toBe(0);
    expect(alive(pid)).toBe(false);
    expect(await shown).toBe(`$ ${command}\n`);
  });

  it('told to end does the same', async () => {
    const { peer, pid } = await acpAtWork();
    peer.child.kill('SIGTERM');
    expect(await peer.exited).toBe(130);
    expect(alive(pid)).toBe(false);
  });
});

describe('wstack mcp serve', () => {
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  };

  it('ends with its client, and takes a running command along', async () => {
    sandbox = await Sandbox.create();
    const peer = new Peer(sandbox.start(['mcp', 'serve']));
    await peer.request('initialize', initialize);
    peer.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    peer.send('tools/call', { name: 'bash', arguments: { command } });
    const question = await peer.until((message) => message['method'] === 'elicitation/create');
    peer.write({
      jsonrpc: '2.0',
      id: question['id'],
      result: { action: 'accept', content: { answer: 'allow once' } },
    });
    const pid = await writtenPid();
    peer.child.stdin?.end();
    expect(await peer.exited).toBe(0);
    expect(alive(pid)).toBe(false);
  });

  it('over HTTP hands out a bearer and refuses who has none', async () => {
    sandbox = await Sandbox.create();
    const child = sandbox.start(['mcp', 'serve', '--http']);
    if (child.stderr === null) throw new Error('the child has no stderr');
    const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
    const [, url = '', token = ''] = /^serving (\S+) · bearer (\S+)$/.exec(line) ?? [];
    const post = (authorization: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
      });
    expect((await post('Bearer none')).status).toBe(401);
    const answer = await post(`Bearer ${token}`);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });
});
