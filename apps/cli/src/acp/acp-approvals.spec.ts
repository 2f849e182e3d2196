import { ControlServer } from '../control/control-server.spec-support.js';
import { enrolHome } from '../control/enrol-sandbox.spec-support.js';
import { EditorSandbox, TestEditor } from './acp-editor.spec-support.js';
import { unfinishedCalls, wireFaults } from './wire-schema.spec-support.js';

jest.setTimeout(60_000);

const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - { id: marks, effect: allow, actions: ['*'], when: { command: { argv: [touch] } }, because: marks }
  - id: infra
    effect: approve
    actions: ['*']
    when: { command: { argv: [touch, infra] } }
    approvers: { count: 2, from: [platform-oncall], ttlMinutes: 30 }
    because: infra changes need two people
`;

describe('a call that other people must approve, in an editor', () => {
  let server: ControlServer;
  let sandbox: EditorSandbox;
  let editor: TestEditor;
  let session: string;
  let turn: ReturnType<TestEditor['prompt']>;
  let approval: string;

  beforeEach(async () => {
    server = new ControlServer();
    await server.start();
    server.publish(POLICY);
    sandbox = await EditorSandbox.create({
      turns: [
        { calls: [{ id: 'call-1', tool: 'bash', input: { command: 'touch infra' } }] },
        { text: 'done' },
      ],
    });
    await enrolHome(sandbox.environment(), server);
    editor = new TestEditor(sandbox);
    session = await editor.open();
    turn = editor.prompt(session, 'go');
    await until(() => server.approvals.size === 1);
    [approval = ''] = server.approvals.keys();
    await until(() => card().includes(`Waits for approval ${approval}: 0 of 2 yes`));
  });
  afterEach(async () => {
    await editor.leave();
    await server.stop();
    await sandbox.remove();
    expect(wireFaults(editor)).toEqual([]);
  });

  const card = (): string => JSON.stringify(editor.updates(session));
  const asked = () => editor.wire.filter(({ message }) => message['method'] === 'session/request_permission');

  it('goes to them and not to the person; the card counts, and the last yes lets it run', async () => {
    expect(server.approvals.get(approval)).toMatchObject({ kind: 'approve', title: 'bash touch infra' });
    server.answer(approval, 'omar', 'approve');
    await until(() => {
      // Whoever asks in the moment between two long polls waits for the next news.
      server.wake();
      return card().includes(`Waits for approval ${approval}: 1 of 2 yes`);
    });
    server.answer(approval, 'mira', 'approve');
    expect(await turn).toMatchObject({ stopReason: 'end_turn' });
    expect(await sandbox.read('infra')).toBe('');
    expect(asked()).toEqual([]);
    expect(unfinishedCalls(editor)).toEqual([]);
    expect(server.approvals.get(approval)?.state).toBe('used');
  });

  it('runs nothing when one of them says no, and says who and why', async () => {
    server.answer(approval, 'omar', 'reject', 'not on a Friday');
    expect(await turn).toMatchObject({ stopReason: 'end_turn' });
    expect(card()).toContain('omar: not on a Friday');
    await expect(sandbox.read('infra')).rejects.toThrow('ENOENT');
  });

  it('is withdrawn when the turn is cancelled: a yes that comes too late runs nothing', async () => {
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    expect(unfinishedCalls(editor)).toEqual([]);
    await until(() => server.approvals.get(approval)?.state === 'withdrawn');
    await expect(sandbox.read('infra')).rejects.toThrow('ENOENT');
  });

  it('is withdrawn when the editor goes away', async () => {
    await editor.leave();
    expect(server.approvals.get(approval)?.state).toBe('withdrawn');
  });
});

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_500 && !holds(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(holds()).toBe(true);
}
