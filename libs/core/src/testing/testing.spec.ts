import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context, PresentableResult, Tool, ToolStreamEvent } from '@wrongstack/contracts';
import {
  assertPurePresenters,
  collectStream,
  createTestAgent,
  createTestContext,
  createTestHost,
  MockModelAdapter,
  testOptions,
} from '../testing.js';

const echo: Tool = {
  name: 'echo',
  description: 'Echoes.',
  inputSchema: { type: 'object' },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  execute: async (input: unknown) => input,
};

describe('the shims for authors’ tests', () => {
  let project: string;
  beforeEach(() => {
    project = realpathSync(mkdtempSync(path.join(tmpdir(), 'shims-')));
  });
  afterEach(() => {
    rmSync(project, { recursive: true });
  });

  describe('createTestContext', () => {
    const file = (): string => path.join(project, 'a.txt');
    const context = () => createTestContext({ projectRoot: project });

    it('tells what was read, what has changed since and what is not there', async () => {
      const ctx = context();
      expect(await ctx.readState(file())).toEqual({ kind: 'missing' });
      writeFileSync(file(), 'one');
      expect(await ctx.readState(file())).toEqual({ kind: 'unread' });
      const { mtimeMs } = statSync(file());
      ctx.recordRead(file(), mtimeMs);
      expect(ctx.hasRead(file())).toBe(true);
      expect(ctx.lastReadMtime(file())).toBe(mtimeMs);
      expect(await ctx.readState(file())).toEqual({ kind: 'fresh' });
      writeFileSync(file(), 'longer');
      expect(await ctx.readState(file())).toEqual({ kind: 'stale' });
      await ctx.recordWrite(file());
      expect(await ctx.readState(file())).toEqual({ kind: 'fresh' });
    });

    it('lets one holder of a path work at a time, also after one that failed', async () => {
      const ctx = context();
      const order: string[] = [];
      const slow = ctx.withPathLock('a', async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push('first');
        throw new Error('no');
      });
      const next = ctx.withPathLock('a', async () => void order.push('second'));
      const other = ctx.withPathLock('b', async () => void order.push('elsewhere'));
      await expect(slow).rejects.toThrow('no');
      await Promise.all([next, other]);
      expect(order).toEqual(['elsewhere', 'first', 'second']);
    });

    it('runs abort hooks once, in reverse order, and none that was taken back', async () => {
      const ctx = context();
      const order: string[] = [];
      ctx.registerAbortHook(() => void order.push('a'));
      const dispose = ctx.registerAbortHook(() => void order.push('b'));
      ctx.registerAbortHook(async () => void order.push('c'));
      dispose();
      await ctx.endRun();
      await ctx.endRun();
      expect(order).toEqual(['c', 'a']);
    });

    it('keeps what a module registers until it is disposed of', () => {
      const ctx = context();
      const dispose = ctx.tools.register(echo);
      expect(ctx.registered).toEqual([echo]);
      expect(() => ctx.tools.register(echo)).toThrow('already registered');
      dispose();
      expect(ctx.registered).toEqual([]);
    });

    it('keeps session entries', async () => {
      const ctx = context();
      await ctx.session.append({ type: 'mine:hit', ts: '2026-01-01T00:00:00Z' });
      expect(ctx.entries).toEqual([{ type: 'mine:hit', ts: '2026-01-01T00:00:00Z' }]);
    });
  });

  it('testOptions has a signal that its controller aborts', () => {
    const { signal, controller, callId } = testOptions({ callId: 'c-1' as never });
    controller.abort();
    expect({ aborted: signal.aborted, callId }).toEqual({ aborted: true, callId: 'c-1' });
  });

  it('createTestAgent keeps notes while it lives', () => {
    const agent = createTestAgent();
    agent.inject('a note', { source: { kind: 'plugin', plugin: 'p' } });
    agent.dispose();
    agent.inject('late', { source: { kind: 'plugin', plugin: 'p' } });
    expect(agent.injected).toEqual([
      { content: [{ type: 'text', text: 'a note' }], source: { kind: 'plugin', plugin: 'p' } },
    ]);
  });

  it.each<[string, ToolStreamEvent[]]>([
    ['none', []],
    ['no final event', [{ type: 'log', text: 'a' }]],
    [
      'two',
      [
        { type: 'final', output: 1 },
        { type: 'final', output: 1 },
      ],
    ],
    [
      'one that is not last',
      [
        { type: 'final', output: 1 },
        { type: 'log', text: 'a' },
      ],
    ],
  ])('collectStream refuses a stream with %s', async (_what, events) => {
    const stream = (async function* () {
      yield* events;
    })();
    await expect(collectStream(stream)).rejects.toMatchObject({ code: 'tool.stream' });
  });

  describe('MockModelAdapter', () => {
    const request = { model: 'm', messages: [], tools: [] } as never;
    const drain = async (model: MockModelAdapter, signal = new AbortController().signal) => {
      const events = [];
      for await (const event of model.stream(request, { signal })) events.push(event);
      return events;
    };

    it('says its turns in order, and answers what it is asked', async () => {
      const model = new MockModelAdapter([
        { text: 'hi', calls: [{ name: 'echo', input: {} }] },
        ({ model: name }) => ({ text: `I am ${name}` }),
      ]);
      expect((await drain(model)).map(({ type }) => type)).toEqual(['text_delta', 'tool_use_start', 'done']);
      expect(await drain(model)).toContainEqual({ type: 'text_delta', text: 'I am m' });
      expect(model.requests).toHaveLength(2);
    });

    it('fails where the script says so, where it has ended, and where the run was aborted', async () => {
      const model = new MockModelAdapter([{ error: new Error('unreachable') }]);
      await expect(drain(model)).rejects.toThrow('unreachable');
      await expect(drain(model)).rejects.toMatchObject({ code: 'mock.ended' });
      await expect(drain(model, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    });
  });

  describe('createTestHost', () => {
    const run = async (tool: Tool, options: Partial<Parameters<typeof createTestHost>[0]> = {}) => {
      const host = createTestHost({ projectRoot: project, ...options });
      host.kernel.tools.register(tool);
      await host.run([{ calls: [{ name: 'echo', input: { a: 1 } }] }, { text: 'done' }]);
      host.dispose();
      return host;
    };

    it('runs calls through the real loop and logs them', async () => {
      const host = await run(echo);
      expect(host.calls).toEqual([
        {
          name: 'echo',
          input: { a: 1 },
          status: 'ok',
          isError: false,
          content: [{ type: 'text', text: '{"a":1}' }],
          meta: undefined,
          text: '{"a":1}',
        },
      ]);
    });

    it('asks the person of the test, who may say no', async () => {
      const tool: Tool = { ...echo, permission: 'confirm', mutating: true };
      expect((await run(tool)).calls[0]?.status).toBe('ok');
      const refused = await run(tool, {
        answer: ({ call }) => ({ kind: 'no', reason: `not ${call.tool.name}` }),
      });
      expect(refused.asked).toHaveLength(1);
      expect(refused.calls[0]).toMatchObject({ status: 'denied', text: expect.stringContaining('not echo') });
    });

    it('hands out declared credentials and lets none of them through', async () => {
      const tool: Tool = {
        ...echo,
        credentials: ['KEY'],
        execute: async (_input, _ctx, { credentials }) => `key ${credentials?.['KEY'] ?? 'missing'}`,
      };
      expect((await run(tool, { credentials: { KEY: 'k-12345' } })).calls[0]?.text).toBe('key ***');
    });
  });

  describe('assertPurePresenters', () => {
    const result: PresentableResult = {
      content: [{ type: 'text', text: 'x' }],
      isError: false,
      meta: { n: 1 },
    };
    const presenting = (present: (input: { a: string }) => unknown) => () =>
      assertPurePresenters({ name: 'odd', presentCall: present as NonNullable<Tool['presentCall']> }, [
        { args: { a: 'text' } },
      ]);
    const card = (title: unknown) => ({ card: 'generic', title });
    let counter = 0;

    it('passes what depends on its arguments alone', () => {
      expect(presenting(({ a }) => card(a.toUpperCase()))).not.toThrow();
      expect(presenting(() => undefined)).not.toThrow();
      expect(presenting(() => card(new Date('2026-01-01T00:00:00Z').toISOString()))).not.toThrow();
      expect(() => assertPurePresenters({ name: 'none' }, [{ args: {} }])).not.toThrow();
    });

    it.each<[string, (input: { a: string }) => unknown, string]>([
      ['the clock', () => card(Date.now()), 'Date.now'],
      ['the date', () => card(String(new Date())), 'new Date()'],
      ['a timer', () => card(performance.now()), 'performance.now'],
      ['chance', () => card(Math.random()), 'Math.random'],
      ['an id', () => card(crypto.randomUUID()), 'crypto.randomUUID'],
      ['the working folder', () => card(process.cwd()), 'process.cwd'],
      ['what it counted', () => card((counter += 1)), 'another card when it is replayed'],
      ['a promise', async () => card('later'), 'a promise'],
      ['what JSON does not keep', () => card(new Map()), 'not plain JSON'],
      [
        'a changed input',
        (input) => {
          input.a = 'changed';
          return card('x');
        },
        'changes what it was given',
      ],
    ])('refuses a card that depends on %s', (_what, present, says) => {
      expect(presenting(present)).toThrow(says);
    });

    it('sees through the shield of a presenter that swallows errors', () => {
      const swallowing = (): unknown => {
        try {
          return card(Date.now());
        } catch {
          return undefined;
        }
      };
      expect(presenting(swallowing)).toThrow('Date.now');
    });

    it('checks results with what they kept, and puts everything back', () => {
      const now = Date.now;
      const tool: Pick<Tool, 'name' | 'presentResult'> = {
        name: 'odd',
        presentResult: (_input, { meta }) => ({
          card: 'generic',
          title: JSON.stringify(meta) + String(Math.random()),
        }),
      };
      expect(() => assertPurePresenters(tool, [{ args: {}, results: [result] }])).toThrow('presentResult');
      expect(Date.now).toBe(now);
      expect(Math.random.toString()).toContain('native code');
    });

    it('wants samples', () => {
      expect(() => assertPurePresenters({ name: 'odd' }, [])).toThrow('no samples');
    });
  });

  it('is a context wherever one is asked for', () => {
    const context: Context = createTestContext({ projectRoot: project });
    expect(context.projectRoot).toBe(project);
  });
});
