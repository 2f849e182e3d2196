import { EditorSandbox, type EditorWorld, TestEditor } from './acp-editor.spec-support.js';

jest.setTimeout(30_000);

let sandbox: EditorSandbox;
let editor: TestEditor;

async function start(world: EditorWorld): Promise<void> {
  sandbox = await EditorSandbox.create(world);
  editor = new TestEditor(sandbox);
}

afterEach(async () => {
  await editor.leave();
  await sandbox.remove();
});

const bash = (command: string) => ({ calls: [{ id: 'call-1', tool: 'bash', input: { command } }] });

describe('a prompt', () => {
  it('is answered with streamed text and thoughts, and ends its turn', async () => {
    await start({ turns: [{ thinking: 'hm', text: 'Hello there' }] });
    const session = await editor.open();
    const { stopReason } = await editor.prompt(session, 'hi');
    expect(stopReason).toBe('end_turn');
    const said = (kind: string): string =>
      editor
        .updates(session)
        .flatMap((update) =>
          update.sessionUpdate === kind && 'content' in update && !Array.isArray(update.content)
            ? [update.content]
            : [],
        )
        .map((content) =>
          content !== null && content !== undefined && content.type === 'text' ? content.text : '',
        )
        .join('');
    expect(said('agent_message_chunk')).toBe('Hello there');
    expect(said('agent_thought_chunk')).toBe('hm');
  });

  it('announces a call before it asks, runs it once allowed, and ends its card', async () => {
    await start({ turns: [bash('echo out; exit 3'), { text: 'done' }] });
    const session = await editor.open();
    editor.answers = ['allow_once'];
    await editor.prompt(session, 'run it');
    const order = editor.wire.flatMap(({ from, message }) => {
      if (from !== 'agent') return [];
      if (message['method'] === 'session/request_permission') return ['permission'];
      const params = message['params'] as { update?: { sessionUpdate: string; status?: string } } | undefined;
      const update = params?.update;
      return update?.sessionUpdate.startsWith('tool_call') === true
        ? [`${update.sessionUpdate} ${update.status ?? ''}`]
        : [];
    });
    expect(order).toEqual([
      'tool_call pending',
      'permission',
      'tool_call_update in_progress',
      'tool_call_update completed',
    ]);
    expect(JSON.stringify(editor.updates(session).at(-1) ?? '')).not.toContain('in_progress');
  });
});
