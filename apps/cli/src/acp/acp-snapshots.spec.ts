import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import {
  EditorSandbox,
  type EditorWorld,
  type PermissionAnswer,
  TestEditor,
} from './acp-editor.spec-support.js';
import { unfinishedCalls, wireFaults } from './wire-schema.spec-support.js';

jest.setTimeout(30_000);

interface Scenario extends EditorWorld {
  readonly about: string;
  /** The editor shows terminals that the agent fills. */
  readonly terminalOutput: boolean;
  /** The editor runs commands in terminals of its own. */
  readonly terminals?: boolean;
  readonly prompt: string;
  readonly answers: readonly PermissionAnswer[];
}

const FOLDER = path.join(__dirname, 'snapshots');
const scenarios = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => path.basename(name, '.json'));

/** The real tools, policy, log and protocol; only the model plays a script. What the editor is shown is pinned. */
describe.each(scenarios)('the transcript of %s', (name) => {
  let sandbox: EditorSandbox;

  afterEach(() => sandbox.remove());

  it('is what it was, live and when the session is loaded again', async () => {
    const text = readFileSync(path.join(FOLDER, `${name}.json`), 'utf8');
    const scenario = JSON.parse(text) as Scenario;
    sandbox = await EditorSandbox.create(scenario);
    const turns = JSON.stringify({ turns: scenario.turns }).replaceAll('{{project}}', sandbox.project);
    await sandbox.write('~/script.json', turns);
    const { terminals = false, terminalOutput } = scenario;
    const capabilities = { terminal: terminals, _meta: { terminal_output: terminalOutput } };

    const editor = new TestEditor(sandbox);
    editor.answers = [...scenario.answers];
    const session = await editor.open(capabilities);
    await editor.prompt(session, scenario.prompt);
    const live = transcript(editor, session);
    await editor.leave();
    expect(live).toMatchSnapshot('live');

    const later = new TestEditor(sandbox);
    await later.initialize(capabilities);
    await later.agent.request('session/load', { sessionId: session, cwd: sandbox.project, mcpServers: [] });
    await later.leave();
    const replayed = finalCards(later.updates(session));
    // A terminal that was given back is gone when the session is loaded: the log's output takes its place.
    if (terminals) expect(replayed).toMatchSnapshot('loaded again');
    else expect(replayed).toEqual(finalCards(editor.updates(session)));
    expect([...wireFaults(editor), ...wireFaults(later)]).toEqual([]);
    expect([...unfinishedCalls(editor), ...unfinishedCalls(later)]).toEqual([]);
  });

  /** What the agent sent about the session, with what differs from run to run named. */
  function transcript(editor: TestEditor, session: string): unknown[] {
    const sent = editor.wire.flatMap(({ from, message }) => {
      if (from !== 'agent' || typeof message['method'] !== 'string') return [];
      const text = JSON.stringify({ method: message['method'], params: message['params'] })
        .replaceAll(sandbox.project, '{{project}}')
        .replaceAll(session, '{{session}}')
        .replace(/"messageId":"[^"]*"/g, '"messageId":"{{message}}"')
        .replaceAll(JSON.stringify(process.execPath), '"{{node}}"')
        .replace(
          /"args":\["[^"]*terminal-child.cjs","[^"]*","[0-9a-f]{48}","[0-9a-f]{64}"\]/g,
          '"args":"{{child}}"',
        )
        .replace(/until \d+ \w+ \d\d:\d\d/g, 'until {{expiry}}');
      const kept = JSON.parse(text) as Sent;
      return kept.params.update?.sessionUpdate === 'available_commands_update' ? [] : [kept];
    });
    return joined(sent);
  }
});

interface Sent {
  readonly method: string;
  readonly params: { readonly update?: SessionUpdate };
}

/** Output and text come in pieces that depend on the clock; neighbours of one kind are one piece here. */
function joined(sent: readonly Sent[]): Sent[] {
  const kept: Sent[] = [];
  for (const one of sent) {
    const before = kept.at(-1)?.params.update;
    const { update } = one.params;
    const earlier = outputOf(before);
    const later = outputOf(update);
    if (earlier !== null && later !== null) earlier.data += later.data;
    else if (
      before?.sessionUpdate === 'agent_message_chunk' &&
      update?.sessionUpdate === 'agent_message_chunk' &&
      before.content.type === 'text' &&
      update.content.type === 'text'
    )
      before.content.text += update.content.text;
    else kept.push(one);
  }
  return kept;
}

function outputOf(update: SessionUpdate | undefined): { data: string } | null {
  if (update?.sessionUpdate !== 'tool_call_update') return null;
  return (update._meta?.['terminal_output'] as { data: string } | undefined) ?? null;
}

/** Each call's card as the editor ends up showing it: later updates replace what earlier ones said. */
function finalCards(updates: readonly SessionUpdate[]): Record<string, unknown> {
  const cards: Record<string, Record<string, unknown>> = {};
  const terminals: Record<string, string> = {};
  for (const update of updates) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    const { sessionUpdate: _kind, _meta, ...card } = update;
    const output = _meta?.['terminal_output'] as { data: string } | undefined;
    terminals[update.toolCallId] = (terminals[update.toolCallId] ?? '') + (output?.data ?? '');
    const exit = _meta?.['terminal_exit'] === undefined ? {} : { exit: _meta['terminal_exit'] };
    cards[update.toolCallId] = { ...cards[update.toolCallId], ...card, ...exit };
  }
  // A command's stored output has lost its last line end.
  const shown = Object.entries(terminals).map(([id, text]) => [id, text.trimEnd()]);
  return { cards, terminals: shown };
}
