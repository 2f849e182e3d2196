import { readFile } from 'node:fs/promises';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { EditorSandbox, type EditorWorld, TestEditor } from './acp-editor.spec-support.js';
import { unfinishedCalls, wireFaults } from './wire-schema.spec-support.js';

jest.setTimeout(60_000);

let sandbox: EditorSandbox;
let editor: TestEditor;

async function start(world: EditorWorld): Promise<void> {
  sandbox = await EditorSandbox.create(world);
  editor = new TestEditor(sandbox);
}

// Whatever the client does, all that was sent to it is the protocol's, and every call it was shown has ended.
afterEach(async () => {
  await editor.leave();
  editor.terminals.killAll();
  expect(wireFaults(editor)).toEqual([]);
  expect(unfinishedCalls(editor)).toEqual([]);
  await sandbox.remove();
});

const write = (id: string, path = 'a.txt') => ({ id, tool: 'write', input: { path, content: 'x' } });
const bash = (command: string) => ({ calls: [{ id: 'call-1', tool: 'bash', input: { command } }] });
const allowed: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: 'once' } };
const cancel = (sessionId: string) => editor.agent.notify('session/cancel', { sessionId });

/** A question that stays open until it is answered here. */
function heldQuestion(): { asked: Promise<void>; answer: (response: RequestPermissionResponse) => void } {
  let onAsked = (): void => undefined;
  let answer = (_response: RequestPermissionResponse): void => undefined;
  const asked = new Promise<void>((resolve) => (onAsked = resolve));
  const answered = new Promise<RequestPermissionResponse>((resolve) => (answer = resolve));
  editor.answers.push(() => {
    onAsked();
    return answered;
  });
  return { asked, answer };
}

async function started(file: string): Promise<number> {
  for (;;) {
    const pid = await sandbox.read(file).catch(() => '');
    if (pid.endsWith('\n')) return Number(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

describe('a question that is open when the turn is cancelled', () => {
  it('takes no yes that comes too late', async () => {
    await start({ turns: [{ calls: [write('call-1')] }, { text: 'never said' }] });
    const session = await editor.open();
    const question = heldQuestion();
    const turn = editor.prompt(session, 'go');
    await question.asked;
    await cancel(session);
    question.answer(allowed);
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    await expect(sandbox.read('a.txt')).rejects.toThrow('ENOENT');
  });

  it('takes the calls that wait behind it along: none runs, none is asked about', async () => {
    await start({
      turns: [{ calls: [write('call-1'), write('call-2', 'b.txt'), write('call-3', 'c.txt')] }],
    });
    const session = await editor.open();
    const question = heldQuestion();
    const turn = editor.prompt(session, 'go');
    await question.asked;
    await cancel(session);
    await cancel(session);
    question.answer({ outcome: { outcome: 'cancelled' } });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    const asked = editor.wire.filter(({ message }) => message['method'] === 'session/request_permission');
    expect(asked).toHaveLength(1);
    for (const file of ['a.txt', 'b.txt', 'c.txt'])
      await expect(sandbox.read(file)).rejects.toThrow('ENOENT');
  });

  it('is that session’s alone: another one’s question stays and its yes counts', async () => {
    await start({ turns: [{ calls: [write('call-1')] }, { text: 'done' }] });
    const first = await editor.open();
    const { sessionId: second } = await editor.agent.request('session/new', {
      cwd: sandbox.project,
      mcpServers: [],
    });
    const [one, two] = [heldQuestion(), heldQuestion()];
    const cancelled = editor.prompt(first, 'go');
    await one.asked;
    const answered = editor.prompt(second, 'go');
    await two.asked;
    await cancel(first);
    expect(await cancelled).toMatchObject({ stopReason: 'cancelled' });
    two.answer(allowed);
    expect(await answered).toMatchObject({ stopReason: 'end_turn' });
    expect(await sandbox.read('a.txt')).toBe('x');
  });

  it('leaves a session that answers the next prompt', async () => {
    await start({ turns: [{ calls: [write('call-1')] }, { text: 'here again' }] });
    const session = await editor.open();
    const question = heldQuestion();
    const turn = editor.prompt(session, 'go');
    await question.asked;
    await cancel(session);
    await turn;
    expect(await editor.prompt(session, 'and now?')).toMatchObject({ stopReason: 'end_turn' });
    expect(JSON.stringify(editor.updates(session))).toContain('"again"');
  });
});

describe('a command that is cancelled', () => {
  it.each([false, true])(
    'ends although it ignores being told to (in an editor’s terminal: %s)',
    async (terminal) => {
      await start({
        turns: [bash(`trap '' TERM HUP INT; (trap '' TERM HUP; sleep 60) & echo $! > pid; sleep 60`)],
      });
      const session = await editor.open({ terminal });
      editor.answers = ['allow_once'];
      const turn = editor.prompt(session, 'go');
      const pid = await started('pid');
      await cancel(session);
      expect(await turn).toMatchObject({ stopReason: 'cancelled' });
      expect(await isRunning(pid)).toBe(false);
    },
  );

  it.each([false, true])(
    'ends with every part of its pipeline (in an editor’s terminal: %s)',
    async (terminal) => {
      await start({ turns: [bash("sh -c 'echo $$ > pid; exec sleep 60' | cat | grep x")] });
      const session = await editor.open({ terminal });
      editor.answers = ['allow_once'];
      const turn = editor.prompt(session, 'go');
      const pid = await started('pid');
      await cancel(session);
      expect(await turn).toMatchObject({ stopReason: 'cancelled' });
      expect(await isRunning(pid)).toBe(false);
    },
  );

  it.each([false, true])(
    'never waited for input that nobody gives (in an editor’s terminal: %s)',
    async (terminal) => {
      const results = [{ contains: 'read 1' }];
      await start({ turns: [bash('cat; read x; echo "read $?"'), { expect: { results }, text: 'ok' }] });
      const session = await editor.open({ terminal });
      editor.answers = ['allow_once'];
      expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
    },
  );
});

describe('a client that names things its own way', () => {
  it('gets absolute places for files that the model named relatively, and refusals for relative folders', async () => {
    await start({
      files: { 'src/a.txt': 'one\n' },
      turns: [
        { calls: [{ id: 'call-1', tool: 'read', input: { path: './src/../src/a.txt' } }] },
        { calls: [{ id: 'call-2', tool: 'write', input: { path: 'src/b.txt', content: 'x' } }] },
        { text: 'ok' },
      ],
    });
    const session = await editor.open();
    editor.answers = ['allow_once'];
    await editor.agent.request('session/prompt', {
      sessionId: session,
      prompt: [
        { type: 'text', text: 'look' },
        { type: 'resource_link', name: 'a', uri: 'src/a.txt' },
        { type: 'resource', resource: { uri: '../outside.txt', text: 'told' } },
      ],
    });
    const places = editor.updates(session).flatMap((update) => {
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return [];
      const diffs = (update.content ?? []).flatMap((block) => (block.type === 'diff' ? [block.path] : []));
      return [...(update.locations ?? []).map(({ path }) => path), ...diffs];
    });
    const inProject = ['src/a.txt', 'src/b.txt'].map((file) => `${sandbox.project}/${file}`);
    expect([...new Set(places)].sort()).toEqual(inProject);
    for (const cwd of ['', '.', 'src', '~']) {
      await expect(
        editor.agent.request('session/load', { sessionId: session, cwd, mcpServers: [] }),
      ).rejects.toMatchObject({ code: -32602 });
      await expect(editor.agent.request('session/list', { cwd })).rejects.toMatchObject({ code: -32602 });
    }
  });
});
