import type { CallId, Message, SessionEntry } from '@wrongstack/contracts';
import { MemorySession } from '../testing/memory-session.js';
import { answer, use, USAGE } from '../testing/playing-provider.js';
import { TestKernel } from '../testing/test-kernel.js';
import { INTERRUPTED } from './conversation.js';
import { replaySession } from './replay-session.js';

const ts = '2026-01-01T00:00:00.000Z';
const id = (text: string) => text as CallId;
const input = (text: string): SessionEntry => ({ type: 'user_input', ts, content: [{ type: 'text', text }] });
const message = (content: unknown): SessionEntry => ({
  type: 'assistant_message',
  ts,
  content,
  stopReason: 'tool_use',
  usage: USAGE,
  model: 'played-1',
});
const result = (call: string, text: string, status = 'ok'): SessionEntry => ({
  type: 'tool_result',
  ts,
  call,
  name: 'work',
  status,
  isError: false,
  content: [{ type: 'text', text }],
  durationMs: 1,
});
const started = (call: string): SessionEntry => ({ type: 'tool_started', ts, call: id(call) });

/** Every call is answered exactly once, in the message right after it, and roles alternate. */
function expectSendable(messages: readonly Message[]): void {
  messages.forEach(({ role, content }, index) => {
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const answers = (messages[index + 1]?.content ?? []).flatMap((block) =>
      block.type === 'tool_result' ? [block.id] : [],
    );
    if (role === 'assistant') expect(answers).toEqual(calls);
  });
}

describe('replaying a session', () => {
  const replay = (...entries: readonly SessionEntry[]) => replaySession(new MemorySession('s-1', entries));

  it('gives the messages that the live run had', async () => {
    const test = new TestKernel();
    test.tool({ name: 'work', execute: async (given) => given });
    const { agent } = test.agent([
      answer([
        { type: 'thinking', text: 'hm', signature: 'sig' },
        use('work', { n: 1 }, 'a'),
        use('work', { n: 2 }, 'b'),
      ]),
      answer('so far', 'max_tokens'),
      answer('done'),
      answer('again'),
    ]);
    await agent.run('go');
    agent.inject('a note', { source: { kind: 'plugin' } });
    await agent.run('more');
    const replayed = await replaySession(test.session);
    expect(replayed.conversation.messages).toEqual(agent.messages);
    expect(replayed).toMatchObject({
      interrupted: false,
      model: 'played-1',
      usage: { inputTokens: 400, outputTokens: 40 },
    });
    expectSendable(replayed.conversation.messages);
    test.dispose();
  });

  it.each<[string, readonly SessionEntry[], readonly string[]]>([
    [
      'a call without a result in the middle',
      [input('a'), message([use('work', {}, 'x')]), input('b')],
      [INTERRUPTED, 'b'],
    ],
    [
      'two calls, one answered',
      [input('a'), message([use('work', {}, 'x'), use('work', {}, 'y')]), result('y', 'why'), input('b')],
      [INTERRUPTED, 'why', 'b'],
    ],
    [
      'a result without a call',
      [input('a'), result('zz', 'orphan'), message([{ type: 'text', text: 'ok' }])],
      [],
    ],
    [
      'a result that comes twice',
      [input('a'), message([use('work', {}, 'x')]), result('x', 'one'), result('x', 'two'), input('b')],
      ['one', 'b'],
    ],
    [
      'an answer after an unanswered call',
      [input('a'), message([use('work', {}, 'x')]), message([{ type: 'text', text: 'ok' }])],
      [INTERRUPTED],
    ],
    ['an empty answer', [input('a'), message([]), input('b')], ['a', 'b']],
    [
      'results out of order',
      [input('a'), message([use('work', {}, 'x'), use('work', {}, 'y')]), result('y', '2'), result('x', '1')],
      ['1', '2'],
    ],
  ])('repairs %s', async (_what, entries, texts) => {
    const { conversation } = await replay(...entries);
    expectSendable(conversation.messages);
    const last = conversation.messages.filter(({ role }) => role === 'user').at(-1);
    const said = (last?.content ?? []).flatMap((block) =>
      block.type === 'tool_result'
        ? block.content.flatMap((one) => (one.type === 'text' ? [one.text] : []))
        : block.type === 'text'
          ? [block.text]
          : [],
    );
    if (texts.length > 0) expect(said).toEqual(texts);
    expect(JSON.stringify(conversation.messages)).not.toContain('orphan');
  });

  it('ignores custom entries, whatever they hold', async () => {
    const { conversation } = await replay(
      input('a'),
      { type: 'plugin:tool_result', ts, call: 'x' },
      { type: 'undo', ts, call: 'x' },
    );
    expect(conversation.messages).toHaveLength(1);
  });

  it('is quick on ten thousand entries', async () => {
    const entries = Array.from({ length: 2_500 }, (_, index) => [
      input(`q${index}`),
      message([use('work', { index }, `c${index}`)]),
      result(`c${index}`, 'x'.repeat(1_000)),
      message([{ type: 'text', text: 'ok' }]),
    ]).flat();
    const { conversation, entries: count } = await replay(...entries);
    expect(count).toBe(10_000);
    expect(conversation.messages).toHaveLength(10_000);
  });
});

describe('resuming a session', () => {
  let test: TestKernel;
  let ran: unknown[];
  afterEach(() => test.dispose());

  const resume = async (entries: readonly SessionEntry[], ...turns: Parameters<TestKernel['agent']>[0]) => {
    ran = [];
    test = new TestKernel({}, {}, new MemorySession('s-1', entries));
    test.tool({ name: 'work', mutating: true, execute: async (given) => (ran.push(given), 'worked') });
    const { conversation } = await replaySession(test.session);
    return test.agent(turns, { conversation });
  };

  it('decides a call anew that had not been started, and runs it once', async () => {
    const { agent, provider } = await resume(
      [input('go'), message([use('work', { n: 1 }, 'x')])],
      answer('done'),
    );
    test.policy.verdicts = () => ({ verdict: 'allow' });
    expect(await agent.resume()).toMatchObject({ status: 'completed', text: 'done', calls: { ok: 1 } });
    expect(ran).toEqual([{ n: 1 }]);
    expect(test.policy.decided).toHaveLength(1);
    expectSendable(provider.requests[0]!.messages);
    expect(test.payloads('run.started')).toMatchObject([{ resumed: true }]);
  });

  it('under today’s policy, which may deny it', async () => {
    const { agent } = await resume([input('go'), message([use('work', {}, 'x')])], answer('I see'));
    test.policy.verdicts = () => ({ verdict: 'deny', because: 'r43 forbids it' });
    expect((await agent.resume()).status).toBe('stopped_by_policy');
    expect(ran).toEqual([]);
  });

  it('never runs a call again whose tool had been started; the model learns that its effect is unknown', async () => {
    const { agent, provider } = await resume(
      [input('go'), message([use('work', {}, 'x')]), started('x')],
      answer('let me look'),
    );
    await agent.resume();
    expect(ran).toEqual([]);
    expect(JSON.stringify(provider.requests[0]?.messages.at(-1))).toContain('side effect is unknown');
    expect(test.session.ofType('tool_result')).toMatchObject([{ status: 'interrupted' }]);
    // A second resume finds nothing open.
    const again = await replaySession(test.session);
    expect(again.conversation.pending).toEqual([]);
    expectSendable(again.conversation.messages);
  });

  it.each<[string, SessionEntry]>([
    [
      'a line behind it was lost',
      { type: 'repair', ts, what: 'line 3 is damaged (9 bytes) and was skipped' },
    ],
    [
      'the end of the log was lost',
      { type: 'repair', ts, what: 'the last line was cut off; its 9 bytes are kept' },
    ],
    [
      'it had changed a file',
      { type: 'file_snapshot', ts, call: id('x'), path: '/a', before: null, after: 'sha256:1' },
    ],
  ])('never runs a call again that may have been started: %s', async (_why, entry) => {
    const { agent } = await resume(
      [input('go'), message([use('work', {}, 'x')]), entry],
      answer('let me look'),
    );
    await agent.resume();
    expect(ran).toEqual([]);
    expect(test.session.ofType('tool_result')).toMatchObject([{ status: 'interrupted' }]);
  });

  it('does not run again what had been aborted', async () => {
    const { agent } = await resume(
      [input('go'), message([use('work', {}, 'x')]), result('x', 'Stopped', 'aborted')],
      answer('ok'),
    );
    await agent.resume();
    expect(ran).toEqual([]);
  });

  it('never runs a stored input in which a secret was masked', async () => {
    const masked = { ...message([use('work', { key: '***' }, 'x')]), masked: ['x'] } as SessionEntry;
    const { agent, provider } = await resume([input('go'), masked], answer('ok'));
    await agent.resume();
    expect(ran).toEqual([]);
    expect(JSON.stringify(provider.requests[0]?.messages.at(-1))).toContain('masked in the session log');
  });

  it('decides a parked call again and shows the model its new result', async () => {
    const { agent, provider } = await resume(
      [
        input('go'),
        message([use('work', { n: 7 }, 'x')]),
        result('x', 'waits', 'parked'),
        message([{ type: 'text', text: 'waiting' }]),
      ],
      answer('thanks'),
    );
    await agent.resume();
    expect(ran).toEqual([{ n: 7 }]);
    expectSendable(provider.requests[0]!.messages);
    const sent = JSON.stringify(provider.requests[0]?.messages);
    expect(sent).toContain('worked');
    expect(sent).not.toContain('"waits"');
    expect(sent).toContain('decided again');
    const replayed = await replaySession(test.session);
    expect(replayed.conversation.messages).toEqual(agent.messages);
    expect(replayed.conversation.parked).toEqual([]);
  });

  it('writes down once what it had to repair', async () => {
    const { agent } = await resume(
      [input('a'), message([use('work', {}, 'x')]), input('b'), result('zz', 'orphan')],
      answer('ok'),
    );
    await agent.resume();
    expect(test.session.ofType('repair').map((entry) => 'what' in entry && entry['what'])).toEqual([
      'call without a result closed as interrupted: work x',
      'result without a call dropped: zz',
    ]);
    expect((await replaySession(test.session)).conversation.repairs).toEqual([]);
  });

  it('settles open calls before a new input, and asks nothing when nothing is left to answer', async () => {
    const { agent, provider } = await resume([input('go'), message([use('work', {}, 'x')])], answer('done'));
    await agent.run('and then?');
    expect(provider.requests[0]?.messages.at(-1)?.content.map(({ type }) => type)).toEqual([
      'tool_result',
      'text',
    ]);
    expect(await agent.resume()).toMatchObject({ status: 'completed', turns: 0 });
    expect(provider.requests).toHaveLength(1);
  });
});
