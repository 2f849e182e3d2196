import { readFile } from 'node:fs/promises';
import { EditorSandbox, type EditorWorld, TestEditor } from '../acp-editor.spec-support.js';
import { unfinishedCalls, wireFaults } from '../wire-schema.spec-support.js';
import type { TerminalStyle } from './editor-terminals.spec-support.js';

jest.setTimeout(60_000);

let sandbox: EditorSandbox;
let editor: TestEditor;
let session: string;
let editorDied = false;

async function start(world: EditorWorld, style: TerminalStyle = 'direct', filled = false): Promise<void> {
  sandbox = await EditorSandbox.create(world);
  editor = new TestEditor(sandbox);
  editorDied = false;
  editor.terminals.style = style;
  editor.answers = ['allow_once', 'allow_once', 'allow_once'];
  session = await editor.open({ terminal: true, ...(filled ? { _meta: { terminal_output: true } } : {}) });
}

afterEach(async () => {
  await editor.leave();
  editor.terminals.killAll();
  expect(wireFaults(editor)).toEqual([]);
  // Nobody could be told how a call ended.
  if (!editorDied) expect(unfinishedCalls(editor)).toEqual([]);
  await sandbox.remove();
});

const bash = (command: string, more: Record<string, unknown> = {}) => ({
  calls: [{ id: 'call-1', tool: 'bash', input: { command, ...more } }],
});
const seen = (contains: string, lacks?: string) => ({
  expect: { results: [{ contains, ...(lacks === undefined ? {} : { lacks }) }] },
  text: 'ok',
});
const methods = () =>
  editor.wire.flatMap(({ message }) => {
    const { method } = message;
    return typeof method === 'string' && method.startsWith('terminal/') ? [method] : [];
  });
const cards = () => JSON.stringify(editor.updates(session));

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

async function started(file: string): Promise<number> {
  for (;;) {
    const pid = await sandbox.read(file).catch(() => '');
    if (pid.endsWith('\n')) return Number(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a command in a terminal of the editor', () => {
  it.each(['direct', 'shell'] as const)(
    'runs as it was decided, also where the editor is of the kind: %s',
    async (style) => {
      const command = `printf '%s|' 'two  words' '$HOME' ';'; echo '*' >&2; exit 3`;
      const printed = 'two  words|$HOME|;|*';
      await start({ turns: [bash(command), seen(printed)] }, style);
      expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
      const [end] = await editor.terminals.ends();
      expect(end).toEqual({ text: `$ ${command}\n${printed}\n`, exitCode: 3, released: true });
      expect(methods()).toEqual(['terminal/create', 'terminal/wait_for_exit', 'terminal/release']);
      expect(editor.updates(session)).toContainEqual(
        expect.objectContaining({
          status: 'completed',
          content: [{ type: 'terminal', terminalId: 'term-1' }],
        }),
      );
    },
  );

  it('has our environment for commands and not the editor’s own, and nothing on its stdin', async () => {
    await start({
      turns: [bash('env; cat; (: </dev/tty) 2>/dev/null || echo no tty'), seen('no tty', 'EDITORS_OWN')],
    });
    expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
    expect(editor.terminals.asked[0]?.env).toEqual([]);
  });

  it('shows secrets masked and control characters spelled out', async () => {
    const secret = `ghp_${'A1b2'.repeat(9)}`;
    await start({
      files: { 'token.txt': `token ${secret}\n` },
      turns: [bash("cat token.txt; printf '\\033[31mred\\n'"), seen('red', secret)],
    });
    await editor.prompt(session, 'go');
    const [end] = await editor.terminals.ends();
    expect(end?.text).toContain('token ');
    expect(end?.text).not.toContain(secret);
    expect(end?.text).toContain('\\u001b[31mred');
  });

  it('ends at its time limit with everything that it started, and its output is kept', async () => {
    const command = 'echo before; sleep 60 & echo $! > pid; wait';
    await start({ turns: [bash(command, { timeoutMs: 1500 }), seen('before')] });
    expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
    expect(await isRunning(await started('pid'))).toBe(false);
    expect(methods()).toContain('terminal/kill');
    expect(await editor.terminals.ends()).toMatchObject([{ released: true }]);
  });

  it('ends when the turn is cancelled', async () => {
    await start({ turns: [bash('sleep 60 & echo $! > pid; wait'), { text: 'never said' }] });
    const turn = editor.prompt(session, 'go');
    const pid = await started('pid');
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(await isRunning(pid)).toBe(false);
    expect(await editor.terminals.ends()).toMatchObject([{ released: true }]);
  });

  it('ends with the editor’s terminal, and says so', async () => {
    await start({ turns: [bash('sleep 60 & echo $! > pid; wait'), seen('ended by SIG')] });
    const turn = editor.prompt(session, 'go');
    const pid = await started('pid');
    editor.terminals.killAll();
    expect(await turn).toMatchObject({ stopReason: 'end_turn' });
    expect(await isRunning(pid)).toBe(false);
  });

  it('that cannot be started fails as it would anywhere', async () => {
    await start({ turns: [bash('true', { cwd: 'no/such/folder' }), seen('name another cwd')] });
    expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
    expect(methods()).toEqual([]);
  });

  it('is not even told to the editor when it is refused', async () => {
    await start({ turns: [bash('echo no > ran'), { text: 'ok' }] });
    editor.answers = ['reject_once'];
    await editor.prompt(session, 'go');
    expect(methods()).toEqual([]);
    await expect(sandbox.read('ran')).rejects.toThrow('ENOENT');
  });
});

describe('an editor whose terminals do not work', () => {
  it.each(['refuses', 'starts-nothing'] as const)('has the command run without, once: %s', async (style) => {
    await start({ turns: [bash('echo ran >> ran; cat ran'), seen('ran')] }, style);
    expect(await editor.prompt(session, 'go')).toMatchObject({ stopReason: 'end_turn' });
    expect(await sandbox.read('ran')).toBe('ran\n');
    expect(cards()).toContain('```console');
  });

  it('and that shows output of ours has it in such a card', async () => {
    await start({ turns: [bash('echo ran'), seen('ran')] }, 'refuses', true);
    await editor.prompt(session, 'go');
    expect(cards()).toContain('terminal_info');
    expect(cards()).toContain('"terminal_exit":{"terminal_id":"call-1","exit_code":0,"signal":null}');
  });

  it('and never answers holds no cancelled turn, and nothing runs', async () => {
    await start({ turns: [bash('echo ran > ran'), { text: 'never said' }] }, 'never-answers');
    const turn = editor.prompt(session, 'go');
    while (!methods().includes('terminal/create')) await new Promise((resolve) => setTimeout(resolve, 20));
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    await expect(sandbox.read('ran')).rejects.toThrow('ENOENT');
  });

  it('and dies in the middle of a command leaves nothing running', async () => {
    await start({ turns: [bash('sleep 60 & echo $! > pid; wait'), { text: 'never said' }] });
    const turn = editor.prompt(session, 'go').catch(() => undefined);
    const pid = await started('pid');
    editorDied = true;
    editor.terminals.killAll();
    await editor.leave();
    expect(await isRunning(pid)).toBe(false);
    await turn;
  });
});
