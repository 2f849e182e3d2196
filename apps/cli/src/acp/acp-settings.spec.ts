import type { McpServer } from '@agentclientprotocol/sdk';
import { EditorSandbox, type EditorWorld, TestEditor } from './acp-editor.spec-support.js';
import { wireFaults } from './wire-schema.spec-support.js';

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
  await sandbox.remove();
});

const newSession = () => editor.agent.request('session/new', { cwd: sandbox.project, mcpServers: [] });

describe('initialize', () => {
  it('says what this agent can do', async () => {
    await start({});
    expect(await editor.initialize()).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'wstack' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
    });
  });
});

describe('modes and models', () => {
  it('are announced, set, and shown when something else changes them', async () => {
    await start({
      config: { prices: { 'scripted-2': { input: 1, output: 1 } } },
      turns: [{ calls: [{ id: 'c', tool: 'mode', input: { mode: 'plan' } }] }, { text: 'planning' }],
    });
    await editor.initialize();
    const { sessionId, modes } = await newSession();
    expect(modes).toMatchObject({ currentModeId: 'default' });
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'plan', 'yolo']);
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' });
    const { configOptions } = await editor.agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'scripted-2',
    });
    expect(configOptions).toMatchObject([
      { id: 'mode', currentValue: 'yolo' },
      { id: 'model', currentValue: 'scripted-2' },
    ]);
    await editor.prompt(sessionId, 'plan it');
    const shown = editor
      .updates(sessionId)
      .flatMap((update) => (update.sessionUpdate === 'current_mode_update' ? [update.currentModeId] : []));
    expect(shown.at(-1)).toBe('plan');
  });

  it('that are not offered are refused', async () => {
    await start({});
    await editor.initialize();
    const { sessionId } = await newSession();
    const set = (params: { configId: string; value: string }) =>
      editor.agent.request('session/set_config_option', { sessionId, ...params });
    await expect(
      editor.agent.request('session/set_mode', { sessionId, modeId: 'root' }),
    ).rejects.toMatchObject({
      code: -32602,
    });
    await expect(set({ configId: 'model', value: 'other' })).rejects.toMatchObject({ code: -32602 });
    await expect(set({ configId: 'sandbox', value: 'off' })).rejects.toMatchObject({ code: -32602 });
  });

  it('leave YOLO out where policy has locked it', async () => {
    await start({
      files: {
        '.wrongstack/policy.yaml': [
          'apiVersion: policy.wrongstack/v1',
          'kind: CapabilityPolicy',
          'metadata: { id: here, revision: 1, scope: { tier: project }, owner: us }',
          'locks: { yolo: "off" }',
          'rules: []',
        ].join('\n'),
      },
      options: { yolo: true },
    });
    await editor.initialize();
    const { sessionId, modes } = await newSession();
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'plan']);
    expect(modes?.currentModeId).toBe('default');
    await expect(
      editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' }),
    ).rejects.toMatchObject({ code: -32602 });
  });
});

describe('slash commands', () => {
  it('are announced and run without the model; what only looks like one goes to the model', async () => {
    await start({ turns: [{ expect: { user: '/etc/hosts' }, text: 'a file' }] });
    await editor.initialize();
    const { sessionId } = await newSession();
    await editor.prompt(sessionId, '/mode plan');
    await editor.prompt(sessionId, '/etc/hosts is what?');
    const updates = editor.updates(sessionId);
    const names = updates.flatMap((update) =>
      update.sessionUpdate === 'available_commands_update'
        ? update.availableCommands.map(({ name }) => name)
        : [],
    );
    expect(names).toEqual(expect.arrayContaining(['tools', 'policy', 'undo', 'compact']));
    expect(names).not.toContain('quit');
    expect(JSON.stringify(updates)).toContain('plan mode: the agent reads');
    expect(updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' });
  });
});

describe('stored sessions', () => {
  it('are listed by project, loaded with what was said, and resumed without', async () => {
    await start({ turns: [{ text: 'first answer' }] });
    await editor.initialize();
    const { sessionId } = await newSession();
    await editor.prompt(sessionId, 'remember this');
    const { sessions } = await editor.agent.request('session/list', { cwd: sandbox.project });
    expect(sessions).toMatchObject([{ sessionId, cwd: sandbox.project, title: 'remember this' }]);
    expect(await editor.agent.request('session/list', { cwd: sandbox.home })).toMatchObject({ sessions: [] });

    const before = editor.updates(sessionId).length;
    await editor.agent.request('session/load', { sessionId, cwd: sandbox.project, mcpServers: [] });
    const replayed = editor.updates(sessionId).slice(before);
    expect(replayed.slice(0, 2)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { text: 'remember this' } },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'first answer' } },
    ]);
    await editor.agent.request('session/close', { sessionId });
    await expect(editor.prompt(sessionId, 'gone?')).rejects.toMatchObject({ code: -32002 });
    const middle = editor.updates(sessionId).length;
    await editor.agent.request('session/resume', { sessionId, cwd: sandbox.project });
    const kinds = editor
      .updates(sessionId)
      .slice(middle)
      .map((update) => update.sessionUpdate);
    expect(kinds).not.toContain('user_message_chunk');
  });

  it('that do not exist are not found, nor is one by the start of its name', async () => {
    await start({});
    await editor.initialize();
    const { sessionId } = await newSession();
    await editor.agent.request('session/close', { sessionId });
    for (const id of ['s-nothing', sessionId.slice(0, 6), '../etc', '']) {
      await expect(
        editor.agent.request('session/load', { sessionId: id, cwd: sandbox.project, mcpServers: [] }),
      ).rejects.toMatchObject({ code: -32002 });
    }
  });
});

describe('MCP servers that the editor brings along', () => {
  const server = (args: string[]): McpServer => ({
    name: 'Editor’s own',
    command: process.execPath,
    args,
    env: [],
  });

  it('are governed like any other: their tools are there, and each call asks', async () => {
    const echo = `
      const lines = require('node:readline').createInterface({ input: process.stdin });
      const tool = { name: 'shout', description: 'in capitals', inputSchema: { type: 'object' } };
      lines.on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) return;
        const result =
          method === 'initialize'
            ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
            : method === 'tools/list'
              ? { tools: [tool] }
              : { content: [{ type: 'text', text: 'HELLO' }] };
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
      });`;
    await start({
      turns: [{ calls: [{ id: 'c', tool: 'mcp__editor-s-own__shout', input: {} }] }, { text: 'done' }],
    });
    await editor.initialize();
    const { sessionId } = await editor.agent.request('session/new', {
      cwd: sandbox.project,
      mcpServers: [server(['-e', echo])],
    });
    editor.answers = ['allow_once'];
    await editor.prompt(sessionId, '/tools');
    await editor.prompt(sessionId, 'shout');
    expect(JSON.stringify(editor.updates(sessionId))).toContain('HELLO');
    expect(editor.wire.some(({ message }) => message['method'] === 'session/request_permission')).toBe(true);
  });

  it('that do not come up are named, and the session works without them', async () => {
    await start({ turns: [{ text: 'alive' }] });
    await editor.initialize();
    const { sessionId } = await editor.agent.request('session/new', {
      cwd: sandbox.project,
      mcpServers: [server(['-e', 'process.exit(1)'])],
    });
    await editor.prompt(sessionId, 'hello');
    const text = JSON.stringify(editor.updates(sessionId));
    expect(text).toContain('cannot be started');
    expect(text).toContain('alive');
  });
});
