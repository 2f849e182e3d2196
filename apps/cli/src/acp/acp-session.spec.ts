import { readFile } from 'node:fs/promises';
import type { RequestPermissionResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { EditorSandbox, type EditorWorld, TestEditor } from './acp-editor.spec-support.js';
import { unfinishedCalls, wireFaults } from './wire-schema.spec-support.js';

jest.setTimeout(30_000);

let sandbox: EditorSandbox;
let editor: TestEditor;

async function start(world: EditorWorld): Promise<void> {
  sandbox = await EditorSandbox.create(world);
  editor = new TestEditor(sandbox);
}

afterEach(async () => {
  await editor.leave();
  expect(wireFaults(editor)).toEqual([]);
  expect(unfinishedCalls(editor)).toEqual([]);
  await sandbox.remove();
});

const call = (tool: string, input: unknown, id = 'call-1') => ({ calls: [{ id, tool, input }] });
const bash = (command: string, id?: string) => call('bash', { command }, id);

function said(updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string {
  return updates
    .flatMap((update) => {
      if (update.sessionUpdate !== kind || !('content' in update)) return [];
      const { content } = update;
      return content !== null && content !== undefined && 'type' in content && content.type === 'text'
        ? [content.text]
        : [];
    })
    .join('');
}

function resultTexts(updates: readonly SessionUpdate[]): string {
  return JSON.stringify(updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update'));
}

/** A process that has ended and that nobody has collected yet runs no more. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

const never = (): Promise<RequestPermissionResponse> => new Promise(() => undefined);

describe('a prompt', () => {
  it('is answered with streamed text and thoughts', async () => {
    await start({ turns: [{ thinking: 'hm', text: 'Hello there' }] });
    const session = await editor.open();
    expect(await editor.prompt(session, 'hi')).toMatchObject({ stopReason: 'end_turn' });
    expect(said(editor.updates(session), 'agent_message_chunk')).toBe('Hello there');
    expect(said(editor.updates(session), 'agent_thought_chunk')).toBe('hm');
  });

  it('may hold links, embedded text and images; audio is refused', async () => {
    await start({ turns: [{ expect: { user: 'let x = 1' }, text: 'seen' }] });
    const sessionId = await editor.open();
    await editor.agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'look at' },
        { type: 'resource_link', name: 'a.ts', uri: `file://${sandbox.project}/a.ts` },
        { type: 'resource', resource: { uri: 'file:///b.ts', text: 'let x = 1' } },
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      ],
    });
    expect(said(editor.updates(sessionId), 'agent_message_chunk')).toBe('seen');
    const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' } as const;
    await expect(
      editor.agent.request('session/prompt', { sessionId, prompt: [audio] }),
    ).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('is refused while another one is being answered', async () => {
    await start({ turns: [{ text: 'slow', delayMs: 300 }] });
    const session = await editor.open();
    const first = editor.prompt(session, 'one');
    await expect(editor.prompt(session, 'two')).rejects.toMatchObject({ code: -32600 });
    expect(await first).toMatchObject({ stopReason: 'end_turn' });
  });

  it('that a model fails to answer is an error that says so', async () => {
    await start({ turns: [{ error: { code: 'provider.auth', message: 'key refused', retryable: false } }] });
    const session = await editor.open();
    await expect(editor.prompt(session, 'hi')).rejects.toMatchObject({
      code: -32000,
      data: { code: 'provider.auth' },
    });
  });
});

describe('a question', () => {
  it('comes after its call was announced, and a yes lets it run', async () => {
    await start({ turns: [bash('echo out; exit 3'), { text: 'done' }] });
    const session = await editor.open();
    editor.answers = ['allow_once'];
    await editor.prompt(session, 'run it');
    const order = editor.wire.flatMap(({ from, message }) => {
      if (from !== 'agent') return [];
      if (message['method'] === 'session/request_permission') return ['permission'];
      const { update } = (message['params'] ?? {}) as { update?: { sessionUpdate: string; status?: string } };
      const isCall = update?.sessionUpdate.startsWith('tool_call') === true;
      return isCall ? [`${update.sessionUpdate} ${update.status ?? ''}`] : [];
    });
    expect(order).toEqual([
      'tool_call pending',
      'permission',
      'tool_call_update in_progress',
      'tool_call_update completed',
    ]);
  });

  it('answered with no runs nothing', async () => {
    await start({ turns: [call('write', { path: 'a.txt', content: 'x' }), { text: 'ok' }] });
    const session = await editor.open();
    editor.answers = ['reject_once'];
    await editor.prompt(session, 'write it');
    await expect(sandbox.read('a.txt')).rejects.toThrow('ENOENT');
    expect(resultTexts(editor.updates(session))).toContain('Denied by the person');
  });

  it('answered with always is not asked again, and with never is refused from then on', async () => {
    await start({
      turns: [
        bash('echo one'),
        bash('echo one', 'call-2'),
        bash('echo two', 'call-3'),
        bash('echo two', 'call-4'),
        { text: '.' },
      ],
    });
    const session = await editor.open();
    editor.answers = ['allow_always', 'reject_always'];
    await editor.prompt(session, 'go');
    const asked = editor.wire.filter(({ message }) => message['method'] === 'session/request_permission');
    expect(asked).toHaveLength(2);
    const ended = editor
      .updates(session)
      .flatMap((update) =>
        update.sessionUpdate === 'tool_call_update' &&
        (update.status === 'completed' || update.status === 'failed')
          ? [`${update.toolCallId} ${update.status}`]
          : [],
      );
    expect(ended).toEqual(['call-1 completed', 'call-2 completed', 'call-3 failed', 'call-4 failed']);
  });

  it('about a destructive call offers no always', async () => {
    await start({ files: { 'build/a': '' }, turns: [bash('rm -rf build'), { text: '.' }] });
    const session = await editor.open();
    let kinds: string[] = [];
    editor.answers = [
      async ({ options }) => {
        kinds = options.map(({ kind }) => kind);
        return { outcome: { outcome: 'selected', optionId: 'always' } };
      },
    ];
    await editor.prompt(session, 'clean');
    expect(kinds).toEqual(['allow_once', 'reject_once']);
    expect(await sandbox.read('build/a')).toBe('');
  });

  it('that is open when the turn is cancelled is withdrawn: nothing runs and the turn ends', async () => {
    await start({ turns: [call('write', { path: 'a.txt', content: 'x' }), { text: 'never said' }] });
    const session = await editor.open();
    let asked = (): void => undefined;
    const question = new Promise<void>((resolve) => (asked = resolve));
    // An editor that never answers, not even when it cancels.
    editor.answers = [
      () => {
        asked();
        return never();
      },
    ];
    const turn = editor.prompt(session, 'write it');
    await question;
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    await expect(sandbox.read('a.txt')).rejects.toThrow('ENOENT');
  });

  it('closed without an answer ends the turn as well', async () => {
    await start({ turns: [call('write', { path: 'a.txt', content: 'x' }), { text: 'never said' }] });
    const session = await editor.open();
    editor.answers = [async () => ({ outcome: { outcome: 'cancelled' } })];
    expect(await editor.prompt(session, 'write it')).toMatchObject({ stopReason: 'cancelled' });
    await expect(sandbox.read('a.txt')).rejects.toThrow('ENOENT');
  });
});

describe('cancelling', () => {
  it('stops a running command and everything that it started', async () => {
    await start({ turns: [bash('sleep 30 & echo $! > pid; wait'), { text: 'never said' }] });
    const session = await editor.open();
    editor.answers = ['allow_once'];
    const turn = editor.prompt(session, 'wait');
    let pid = '';
    while (pid === '') pid = await sandbox.read('pid').catch(() => '');
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(await isRunning(Number(pid))).toBe(false);
  });

  it('what is not running, or no session, harms nothing', async () => {
    await start({ turns: [{ text: 'hi' }] });
    const session = await editor.open();
    await editor.agent.notify('session/cancel', { sessionId: session });
    await editor.agent.notify('session/cancel', { sessionId: 'nobody' });
    expect(await editor.prompt(session, 'hi')).toMatchObject({ stopReason: 'end_turn' });
  });
});

describe('sessions side by side', () => {
  it('have modes, answers and updates of their own', async () => {
    await start({ turns: [call('write', { path: 'a.txt', content: 'x' }), { text: 'ok' }] });
    const planning = await editor.open();
    const { sessionId: working } = await editor.agent.request('session/new', {
      cwd: sandbox.project,
      mcpServers: [],
    });
    await editor.agent.request('session/set_mode', { sessionId: planning, modeId: 'plan' });
    editor.answers = ['allow_once'];
    await Promise.all([editor.prompt(planning, 'go'), editor.prompt(working, 'go')]);
    expect(resultTexts(editor.updates(planning))).toContain('plan');
    expect(resultTexts(editor.updates(planning))).not.toContain('"completed"');
    expect(resultTexts(editor.updates(working))).toContain('"completed"');
    expect(await sandbox.read('a.txt')).toBe('x');
  });
});
