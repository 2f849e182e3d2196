import type { ApprovalAnswer } from '@wrongstack/contracts';
import { genericViews } from './call-views.js';
import type { Submission } from './submissions.js';
import { startTerminal } from './start-terminal.js';
import type { TerminalSession } from './terminal-session.js';
import { NO_POLICY } from './status-lines.js';
import type { StartTerminalOptions } from './terminal-options.js';
import type { TerminalEvent } from './event-source.js';
import { FakeEvents, FakeTerminal } from './testing/fake-terminal.js';
import { CAPS, decision, DENIED, DESTRUCTIVE, event, executed, request } from './testing/fixtures.js';
import { ManualTime } from './testing/manual-time.js';

interface Setup {
  readonly terminal: FakeTerminal;
  readonly time: ManualTime;
  readonly events: FakeEvents;
  readonly session: TerminalSession;
  readonly submitted: Submission[];
  readonly commands: string[];
  readonly interrupts: () => number;
  readonly quits: () => number;
  /** Ends the run of the message that is being worked on. */
  readonly finishRun: () => Promise<void>;
  /** Keys as a person presses them, 80 ms apart. */
  readonly type: (text: string) => void;
  readonly press: (key: string) => void;
  readonly screen: () => string[];
}

function start(
  over: Partial<StartTerminalOptions> & { readonly caps?: StartTerminalOptions['caps'] } = {},
): Setup {
  const caps = over.caps ?? { ...CAPS, columns: 80 };
  const terminal = new FakeTerminal(caps.columns, caps.rows);
  const time = new ManualTime();
  const events = new FakeEvents();
  const submitted: Submission[] = [];
  const commands: string[] = [];
  let interrupts = 0;
  let quits = 0;
  let end: () => void = () => undefined;
  const session = startTerminal({
    io: terminal.io,
    caps,
    clock: time,
    scheduler: time.scheduler,
    home: '/home/me',
    views: genericViews,
    events,
    banner: null,
    status: () => ({
      mode: 'default',
      yolo: false,
      policy: NO_POLICY,
      model: 'm',
      context: null,
      costUsd: null,
    }),
    commands: () => [{ name: 'policy', description: 'what decides' }],
    onSubmit: (text) => {
      submitted.push(text);
      return new Promise<void>((resolve) => (end = resolve));
    },
    onCommand: async (name, args) => {
      commands.push([name, ...args].join(' '));
    },
    onInterrupt: () => (interrupts += 1),
    onToggleMode: () => undefined,
    onQuit: () => (quits += 1),
    ...over,
  });
  const press = (key: string): void => {
    time.advance(80);
    terminal.send(key);
  };
  time.advance(200);
  return {
    terminal,
    time,
    events,
    session,
    submitted,
    commands,
    interrupts: () => interrupts,
    quits: () => quits,
    finishRun: async () => {
      end();
      await tick();
    },
    type: (text) => Array.from(text).forEach(press),
    press,
    screen: () => {
      time.advance(200);
      return terminal.screen.everything();
    },
  };
}

/** The real timer of Node's key decoder decides when a lone ESC byte is the Esc key. */
const escape = async (setup: Setup): Promise<void> => {
  setup.terminal.send('\x1b');
  await new Promise((resolve) => setTimeout(resolve, 70));
};

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const RULE = '─'.repeat(79);
const STATUS = '  default · no central policy · m   ?';

/** The question's answer, and that nothing else settled it. */
async function settled<Answer>(answer: Promise<Answer>): Promise<Answer | 'open'> {
  return Promise.race([answer, new Promise<'open'>((resolve) => setImmediate(() => resolve('open')))]);
}

describe('a conversation', () => {
  it('shows what was sent, the answer as it streams, and the calls', async () => {
    const setup = start();
    setup.type('fix it');
    setup.press('\r');
    const { events } = setup;
    events.emit(event('run.started', { model: 'm', resumed: false, tools: [], mode: 'default' }));
    events.emit(event('message.delta', { message: 'm1', text: 'I **look**\nat', thinking: false }));
    expect(setup.screen()).toEqual(['', '> fix it', 'I look', 'at', RULE, '>', STATUS]);
    events.emit(event('message.delta', { message: 'm1', text: ' it.', thinking: false }));
    events.emit(event('message.completed', { message: 'm1', text: '', stopReason: 'tool_use' }));
    events.emit(event('tool.requested', { call: 'c1', name: 'read', input: { path: 'a.ts' } }));
    events.emit(event('tool.started', { call: 'c1', name: 'read', estimatedDurationMs: 3_000 }));
    events.emit(
      event('tool.progress', { call: 'c1', name: 'read', event: { type: 'log', text: 'opening' } }),
    );
    events.emit(
      event('tool.progress', { call: 'c1', name: 'read', event: { type: 'warning', text: 'slow disk' } }),
    );
    expect(setup.screen().slice(2)).toEqual([
      'I look',
      'at it.',
      '! read: slow disk',
      expect.stringMatching(/^. read a\.ts · 0 s of ~3 s$/),
      '  opening',
      RULE,
      '>',
      STATUS,
    ]);
    events.emit(executed('c1', 'read'));
    events.emit(event('run.finished', { status: 'completed' }));
    await setup.finishRun();
    expect(setup.screen().slice(4)).toEqual([
      '! read: slow disk',
      '✓ read a.ts · 4 B · 4 ms',
      RULE,
      '>',
      STATUS,
    ]);
  });

  it('keeps one draft while output streams above it', () => {
    const setup = start();
    setup.type('first');
    setup.press('\r');
    for (let line = 0; line < 40; line += 1) {
      setup.events.emit(event('message.delta', { message: 'm1', text: `line ${line}\n`, thinking: false }));
      if (line < 4) setup.press('next'.charAt(line));
    }
    expect(setup.screen().slice(-3)).toEqual([RULE, '> next', STATUS]);
    expect(setup.screen().filter((row) => row.startsWith('line '))).toHaveLength(40);
  });

  it('queues what is sent during a run', async () => {
    const setup = start();
    setup.type('one');
    setup.press('\r');
    setup.type('two');
    setup.press('\r');
    expect(setup.submitted).toEqual(['one']);
    expect(setup.screen()).toContain('  next: two');
    await setup.finishRun();
    expect(setup.submitted).toEqual(['one', 'two']);
  });

  it('works on what a resumed session left open like on a message: Esc interrupts it, and others wait', async () => {
    const setup = start();
    setup.session.goOn();
    setup.type('two');
    setup.press('\r');
    expect(setup.submitted).toEqual([null]);
    expect(setup.screen()).toContain('  next: two');
    await escape(setup);
    expect(setup.interrupts()).toBe(1);
    expect(setup.screen().slice(-2)).toEqual(['> two', STATUS]);
  });

  it('draws a denial with its rule', () => {
    const setup = start();
    setup.events.emit(
      event('tool.requested', { call: 'c1', name: 'bash', input: { command: 'kubectl drain n1' } }),
    );
    setup.events.emit(event('tool.decided', { call: 'c1', name: 'bash', decision: DENIED }));
    setup.events.emit(executed('c1', 'bash', { status: 'denied', isError: true }));
    expect(setup.screen().slice(0, 3)).toEqual([
      '⊘ bash denied · nothing ran',
      '  kubectl drain n1',
      '  rule     no-prod-kube (team payments r42) on: kubectl drain n1',
    ]);
  });

  it('prints folded output whole with Ctrl-O', () => {
    const setup = start({
      views: {
        ...genericViews,
        result: () => ({
          card: 'terminal',
          output: Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n'),
          exitCode: 0,
        }),
      },
    });
    setup.events.emit(executed('c1', 'bash', { input: { command: 'x' } }));
    expect(setup.screen()).not.toContain('  row 15');
    setup.press('\x0f');
    expect(setup.screen()).toContain('  row 15');
  });

  it('runs slash commands, also during a run', () => {
    const setup = start();
    setup.type('work');
    setup.press('\r');
    setup.type('/policy show');
    setup.press('\r');
    expect(setup.commands).toEqual(['policy show']);
  });

  it('reports an error of the run in one line', async () => {
    const setup = start({ onSubmit: () => Promise.reject(new Error('no model\nhere')) });
    setup.type('x');
    setup.press('\r');
    await setup.finishRun();
    expect(setup.screen()).toContain('✗ no model here');
  });
});

describe('the tasks line', () => {
  const changed = (task: string, state: string, exitCode: number | null = null): TerminalEvent =>
    event('task.changed', { task, call: 'c1', state, exitCode });

  it('goes on counting while nobody does anything', () => {
    const setup = start();
    setup.events.emit(event('tool.requested', { call: 'c1', name: 'bash', input: { command: 'sleep 9' } }));
    setup.events.emit(changed('t-4k', 'running'));
    setup.events.emit(executed('c1', 'bash', {}));
    setup.events.emit(event('run.finished', { status: 'completed', turns: 1 }));
    setup.time.advance(65_000);
    expect(setup.screen()).toContainEqual(expect.stringContaining('t-4k'));
    expect(setup.screen().join('\n')).toContain('1m05s');
  });

  it('drops what has failed when the person goes on', () => {
    const setup = start();
    setup.events.emit(changed('t-9p', 'failed', 1));
    expect(setup.screen().join('\n')).toContain('t-9p');
    setup.type('/tasks');
    setup.press('\r');
    expect(setup.screen().join('\n')).not.toContain('t-9p');
  });
});

describe('interrupt and quit', () => {
  it('shows other work that takes a while, lets messages wait for it, and ends it with Esc', async () => {
    const setup = start();
    let stop: (error: Error) => void = () => undefined;
    const work = setup.session.during('summarising', () => new Promise<void>((_, reject) => (stop = reject)));
    work.catch(() => undefined);
    setup.time.advance(2_000);
    expect(setup.screen()).toContainEqual(expect.stringMatching(/^. summarising · \d s · Esc gives up$/));
    setup.type('next');
    setup.press('\r');
    expect(setup.submitted).toEqual([]);
    await escape(setup);
    expect(setup.interrupts()).toBe(1);
    stop(new Error('aborted'));
    await tick();
    expect(setup.screen().join('\n')).not.toContain('summarising');
    expect(setup.screen()).toContain('> next');
  });

  it('interrupts with one Esc and gives the text back', async () => {
    const setup = start();
    setup.type('do it');
    setup.press('\r');
    setup.events.emit(event('message.delta', { message: 'm1', text: 'partial te', thinking: false }));
    await escape(setup);
    expect(setup.interrupts()).toBe(1);
    expect(setup.screen().slice(2)).toEqual(['partial te', '■ interrupted by you', RULE, '> do it', STATUS]);
    await escape(setup);
    expect(setup.interrupts()).toBe(1);
  });

  it('quits with Ctrl-C twice while idle, and only then', () => {
    const setup = start();
    setup.type('draft');
    setup.press('\x03');
    expect(setup.screen().at(-2)).toBe('>');
    setup.time.advance(3_000);
    setup.press('\x03');
    expect(setup.quits()).toBe(0);
    expect(setup.screen().at(-1)).toBe('  Ctrl-C again quits');
    setup.press('\x03');
    expect(setup.quits()).toBe(1);
  });

  it('asks before it stops tasks', async () => {
    const setup = start({ runningTasks: () => 2 });
    setup.press('\x04');
    expect(setup.screen().slice(0, 1)).toEqual([
      '? 2 tasks stop with this session · k stop and quit · Esc stay',
    ]);
    setup.time.advance(600);
    setup.press('k');
    await tick();
    expect(setup.quits()).toBe(1);
  });

  it('leaves the terminal as it was', () => {
    const setup = start();
    expect(setup.terminal.raw).toBe(true);
    setup.type('x');
    setup.session.close();
    setup.session.close();
    expect(setup.terminal.raw).toBe(false);
    expect(setup.terminal.listening()).toBe(false);
    expect(setup.terminal.screen.bytes).toContain('\x1b[?2004l');
    expect(setup.terminal.screen.visible()).toEqual([]);
  });

  it('releases the terminal to an editor and takes its text', async () => {
    const setup = start({ editExternally: async (text) => `${text} and more\n` });
    setup.type('some');
    setup.press('\x07');
    expect(setup.terminal.raw).toBe(false);
    await tick();
    expect(setup.terminal.raw).toBe(true);
    expect(setup.screen()).toEqual([RULE, '> some and more', STATUS]);
  });
});

describe('a question in the session', () => {
  /** Resolves when the question is on screen; the answer is wrapped, or it would be awaited as well. */
  const ask = async (
    setup: Setup,
    of = decision(),
  ): Promise<{ readonly answer: Promise<ApprovalAnswer> }> => {
    const answer = setup.session.approvals.ask(request(of), new AbortController().signal);
    await tick();
    return { answer };
  };

  it('is answered by a key after the keyboard has rested', async () => {
    const setup = start();
    const { answer } = await ask(setup);
    expect(setup.screen().slice(0, 2)).toEqual(['? bash asks · standard', '  npm test && npm run lint']);
    setup.time.advance(600);
    setup.press('y');
    expect(await answer).toEqual({ kind: 'once' });
    expect(setup.screen()[0]).toBe('? bash asks · standard · you said yes, once');
  });

  it('leaves typing that was under way in the draft, letters of answers included', async () => {
    const setup = start();
    setup.type('ye');
    const { answer } = await ask(setup);
    setup.type('s any way');
    setup.press('1');
    expect(await settled(answer)).toBe('open');
    expect(setup.screen()).toContain('> yes any way1');
  });

  it('puts a paste and a burst into the draft', async () => {
    const setup = start();
    const { answer } = await ask(setup);
    setup.time.advance(1_000);
    setup.terminal.send('\x1b[200~y\x1b[201~');
    setup.time.advance(1_000);
    setup.terminal.send('yes');
    expect(await settled(answer)).toBe('open');
    expect(setup.screen()).toContain('> yyes');
  });

  it('wants the end of a long command on screen', async () => {
    const setup = start();
    const text = Array.from({ length: 80 }, (_, index) => `echo ${index}`).join('\n');
    const long = decision({
      facts: { ...decision().facts, command: { text, commands: [], unparsed: false, unparsedReason: null } },
    });
    const { answer } = await ask(setup, long);
    setup.time.advance(1_000);
    setup.press('y');
    expect(await settled(answer)).toBe('open');
    expect(setup.screen().join('\n')).toMatch(/more lines below[\s\S]*read to the end first/);
    setup.press('\x1b[F');
    expect(setup.screen()).toContain('  echo 79');
    setup.press('y');
    expect(await answer).toEqual({ kind: 'once' });
  });

  it('cannot be answered with yes in a window that is too small to show it', async () => {
    const setup = start({ caps: { ...CAPS, columns: 80, rows: 9 } });
    const { answer } = await ask(setup, DESTRUCTIVE);
    setup.time.advance(1_000);
    setup.type('yes');
    setup.press('\r');
    expect(await settled(answer)).toBe('open');
    expect(setup.screen().join('\n')).toContain('the window is too small');
    setup.press('\x03');
    expect(await answer).toEqual({ kind: 'no' });
  });

  it('waits for its turn behind another one', async () => {
    const setup = start();
    const first = (await ask(setup)).answer;
    const second = (await ask(setup, DESTRUCTIVE)).answer;
    setup.time.advance(1_000);
    setup.press('n');
    expect(await first).toEqual({ kind: 'no' });
    await tick();
    expect(setup.screen().join('\n')).toContain('? bash asks · DESTRUCTIVE\n');
    setup.time.advance(1_000);
    setup.type('yes');
    setup.press('\r');
    expect(await second).toEqual({ kind: 'once' });
  });

  it('rejects when it is aborted, and takes no answer after', async () => {
    const setup = start();
    const abort = new AbortController();
    const answer = setup.session.approvals.ask(request(decision()), abort.signal);
    await tick();
    abort.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    expect(setup.screen().join('\n')).not.toContain('y  once');
  });

  it('says no where other people have to approve and nobody can be asked', async () => {
    const setup = start();
    const { answer } = await ask(setup, decision({ verdict: 'approve' }));
    expect(await answer).toEqual({
      kind: 'no',
      reason: 'other people have to approve this, and no control plane is connected',
    });
  });
});

describe('typed before the prompt was there', () => {
  it('is sent when it ended with Enter, which came as a line feed, and kept when not', () => {
    const sent = start();
    sent.terminal.send('fix it\n');
    expect(sent.submitted).toEqual(['fix it']);
    sent.terminal.send('more\n');
    expect(sent.submitted).toEqual(['fix it']);
    const kept = start();
    kept.terminal.send('fix');
    expect(kept.submitted).toEqual([]);
    expect(kept.screen().join('\n')).toContain('> fix');
  });
});

describe('the question of the first start', () => {
  it('takes a letter and Enter, nothing else', async () => {
    const setup = start();
    const profile = setup.session.prompts.chooseProfile();
    setup.time.advance(600);
    setup.press('1');
    setup.press('\x7f');
    setup.press('\r');
    setup.time.advance(600);
    setup.press('b');
    expect(await settled(profile)).toBe('open');
    expect(setup.screen().join('\n')).toContain('> b  balanced');
    setup.press('\r');
    expect(await profile).toBe('balanced');
    expect(setup.submitted).toEqual([]);
  });

  it('takes no message for an answer, and loses none', async () => {
    const setup = start();
    const profile = setup.session.prompts.chooseProfile();
    setup.time.advance(5_000);
    for (const key of 'say g') setup.press(key);
    setup.press('\r');
    setup.terminal.send('guide\r');
    setup.terminal.send('s\r');
    expect(setup.submitted).toEqual(['say g']);
    await tick();
    expect(setup.screen().join('\n')).toContain('next: guide');
    expect(await settled(profile)).toBe('open');
  });

  it('keeps what was typed before it opened', async () => {
    const setup = start();
    setup.press('b');
    const profile = setup.session.prompts.chooseProfile();
    setup.time.advance(5_000);
    setup.press('\r');
    expect(setup.submitted).toEqual(['b']);
    expect(await settled(profile)).toBe('open');
    setup.press('\x1b');
    setup.time.advance(1_000);
  });

  it('lets go of a letter that is taken back', async () => {
    const setup = start();
    const profile = setup.session.prompts.chooseProfile();
    setup.time.advance(600);
    setup.press('g');
    setup.press('\x7f');
    setup.press('\r');
    expect(await settled(profile)).toBe('open');
    expect(setup.submitted).toEqual([]);
  });
});

describe('plain mode', () => {
  const plain = { ...CAPS, columns: 80, plain: true, color: false, unicode: false };

  it('asks in words, without a single escape, and takes a word and Enter', async () => {
    const setup = start({ caps: plain });
    const answer = setup.session.approvals.ask(request(DESTRUCTIVE), new AbortController().signal);
    await tick();
    setup.terminal.send('yes\n');
    expect(await settled(answer)).toBe('open');
    setup.time.advance(1_000);
    setup.terminal.send('\n');
    setup.terminal.send('y\n');
    expect(await settled(answer)).toBe('open');
    setup.terminal.send('yes\n');
    expect(await answer).toEqual({ kind: 'once' });
    expect(setup.terminal.screen.bytes).not.toContain('\x1b');
    expect(setup.terminal.screen.everything()).toEqual(
      expect.arrayContaining(['asks: bash, DESTRUCTIVE', 'note: you said yes, once']),
    );
  });

  it('keeps a line that came too early as the next message', async () => {
    const setup = start({ caps: plain });
    void setup.session.approvals.ask(request(decision()), new AbortController().signal);
    await tick();
    setup.terminal.send('yes\n');
    expect(setup.submitted).toEqual(['yes']);
    expect(setup.terminal.screen.everything().join('')).toContain('note: typed before the question opened');
  });

  it('prompts again when a command has answered, and not before', async () => {
    const setup: Setup = start({
      caps: plain,
      onCommand: async () => {
        await tick();
        setup.session.printText('nothing is stored');
      },
    });
    setup.terminal.send('/trust\n');
    await tick();
    await tick();
    expect(setup.screen().filter((row) => row !== '')).toEqual(['you: /trust', 'nothing is stored', 'you:']);
  });
});

describe('a resize', () => {
  it('draws the region again at the new width', () => {
    const setup = start();
    setup.type('draft');
    setup.terminal.resize(40, 24);
    expect(setup.screen()).toEqual(['─'.repeat(39), '> draft', '  default · no central policy · m   ?']);
  });
});
