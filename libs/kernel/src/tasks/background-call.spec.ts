import type { ToolOptions } from '@wrongstack/contracts';
import { MemoryTaskQueue } from '../testing/memory-task-queue.js';
import { ExactScrubber, PERSON } from '../testing/memory-ports.js';
import { MemorySession } from '../testing/memory-session.js';
import { answer, use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';
import { replaySession } from '../session/replay-session.js';
import { OwnedTasks } from './own-tasks.js';

describe('a call in the background', () => {
  let queue: MemoryTaskQueue;
  let test: TestKernel;
  let ran: unknown[];
  beforeEach(() => {
    queue = new MemoryTaskQueue();
    test = kernelWith(queue);
    ran = [];
  });
  afterEach(() => test.dispose());

  function kernelWith(tasks: MemoryTaskQueue | null, session?: MemorySession): TestKernel {
    const ports = { scrubber: new ExactScrubber('hunter2') };
    const made = new TestKernel(
      tasks === null ? ports : { ...ports, tasks: { queue: tasks, dataDir: '/data' } },
      {},
      session,
    );
    tasks?.start(made.kernel.taskWork);
    return made;
  }

  const register = (part: Parameters<TestKernel['tool']>[0] = { name: 'work' }): void =>
    test.tool({
      background: 'optional',
      execute: async (input: unknown, _ctx, { taskOutput }: ToolOptions) => {
        ran.push(input);
        taskOutput?.('half hun');
        taskOutput?.('ter2 way\n');
        return { content: [{ type: 'text', text: 'worked with hunter2' }], meta: { exitCode: 0 } };
      },
      ...part,
    });

  const call = (input: unknown, name = 'work') => test.call(use(name, input));

  it('returns its id at once, and goes on under the decision that was made', async () => {
    register();
    const outcome = await call({ path: 'a', run_in_background: true });
    expect(outcome).toMatchObject({ status: 'ok', task: { state: 'queued', tool: 'work' } });
    const id = outcome.task!.id;
    expect(textOf(outcome)).toContain(`Task ${id} is queued`);
    expect(ran).toEqual([]);
    expect(test.policy.decided).toMatchObject([{ background: true, input: { path: 'a' } }]);

    await queue.runAll();
    expect(ran).toEqual([{ path: 'a' }]);
    expect(test.policy.rechecked).toMatchObject([{ call: { background: true } }]);
    expect(await queue.get(id)).toMatchObject({
      state: 'completed',
      decision: outcome.decision!.id,
      exit: { exitCode: 0, result: 'worked with ***', reason: null },
    });
    expect(queue.output.get(id)).toBe('half hunter2 way\n'.replace('hunter2', '***'));
    expect(test.payloads('task.changed').map(({ state }) => state as string)).toEqual([
      'queued',
      'running',
      'completed',
    ]);
    expect(test.audit.entries.map(({ kind }) => kind)).toEqual(['decision', 'outcome']);
  });

  it.each([
    [
      'a tool that cannot',
      { name: 'work', background: 'never' as const },
      true,
      /cannot run in the background/,
    ],
    ['a flag that is none', { name: 'work' }, 'yes', /run_in_background: must be boolean/],
  ])('is refused for %s', async (_what, part, run_in_background, message) => {
    register(part);
    const outcome = await call({ run_in_background });
    expect(outcome.status).toBe('failed');
    expect(textOf(outcome)).toMatch(message);
    expect([ran, queue.added]).toEqual([[], []]);
  });

  it('stays in the foreground without the flag; a tool that always goes there needs none', async () => {
    register();
    register({ name: 'server', background: 'always' });
    expect((await call({ run_in_background: false })).task).toBeNull();
    expect(ran).toEqual([{}]);
    expect((await call({}, 'server')).task).toMatchObject({ state: 'queued' });
  });

  it('is refused where there is no queue, and the model is not told of it', async () => {
    test.dispose();
    test = kernelWith(null);
    register();
    expect(textOf(await call({ run_in_background: true }))).toMatch(/no task queue is set up. Nothing ran/);
    const { agent, provider } = test.agent([answer('done')]);
    await agent.run('go');
    expect(JSON.stringify(provider.requests[0]?.tools)).not.toContain('run_in_background');
  });

  it('is offered to the model for tools that may', async () => {
    register();
    register({ name: 'quick', background: 'never' });
    const { agent, provider } = test.agent([answer('done')]);
    await agent.run('go');
    const offered = provider.requests[0]?.tools.map(({ name, inputSchema }) => [
      name,
      Object.keys(inputSchema.properties ?? {}),
    ]);
    expect(offered).toEqual([
      ['work', ['run_in_background']],
      ['quick', []],
    ]);
  });

  it('is denied like any call: nothing is queued', async () => {
    register();
    test.policy.verdicts = ({ background }) => ({ verdict: background ? 'deny' : 'allow' });
    expect((await call({ run_in_background: true })).status).toBe('denied');
    expect(queue.added).toEqual([]);
  });

  it('fails with the reason when its permission was revoked while it waited', async () => {
    register();
    const { task } = await call({ run_in_background: true });
    test.policy.again = () => ({
      verdict: 'deny',
      by: { kind: 'rule', id: 'freeze', tier: 'org', document: 'ops', revision: 3 },
      because: 'Change freeze',
    });
    await queue.runAll();
    const record = await queue.get(task!.id);
    expect(record).toMatchObject({
      state: 'failed',
      exit: { reason: expect.stringMatching(/freeze.*Change freeze/) },
    });
    expect(ran).toEqual([]);
  });

  it('fails on a worker that has another version of the tool', async () => {
    register();
    const { task } = await call({ run_in_background: true });
    test.kernel.tools.unregister('work');
    register({ name: 'work', description: 'another one' });
    await queue.runAll();
    expect(await queue.get(task!.id)).toMatchObject({
      state: 'failed',
      exit: { reason: expect.stringContaining('another version of work') },
    });
    expect(ran).toEqual([]);
  });

  it('says why when the queue does not take it', async () => {
    register();
    queue.failure = new Error('redis is away');
    const outcome = await call({ run_in_background: true });
    expect(outcome.status).toBe('failed');
    expect(textOf(outcome)).toBe('The task was not taken: redis is away. Nothing ran.');
  });

  it.each([
    ['a failing program', async () => ({ content: [], meta: { exitCode: 7 } }), 'failed', 7],
    ['a throw', async () => Promise.reject(new Error('no disk')), 'failed', null],
    ['a big integer', async () => ({ n: 10n }), 'completed', null],
  ])('ends as it should after %s', async (_what, execute, state, exitCode) => {
    register({ name: 'work', execute });
    const { task } = await call({ run_in_background: true });
    await queue.runAll();
    expect(await queue.get(task!.id)).toMatchObject({ state, exit: { exitCode } });
  });

  it('normalises what cannot be stored, and cuts what is huge', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    register({ name: 'circle', execute: async () => circle });
    register({ name: 'huge', execute: async () => 'x'.repeat(1_000_000), maxOutputBytes: 1_000 });
    const one = (await call({ run_in_background: true }, 'circle')).task!.id;
    const two = (await call({ run_in_background: true }, 'huge')).task!.id;
    await queue.runAll();
    expect((await queue.get(one))?.exit).toMatchObject({
      state: 'completed',
      result: '{"self":"[circular]"}',
    });
    const huge = await queue.get(two);
    expect(huge?.exit).toMatchObject({ state: 'completed', truncated: true });
    expect(huge?.exit?.result.length).toBeLessThan(1_500);
  });

  it('is killed also when its tool ignores the signal', async () => {
    const began = new Promise<void>((resolve) => {
      register({ name: 'deaf', execute: async () => (resolve(), new Promise(() => undefined)) });
    });
    const { task } = await call({ run_in_background: true }, 'deaf');
    const ended = queue.runAll();
    await began;
    await queue.kill(task!.id, 'enough');
    await ended;
    expect(await queue.get(task!.id)).toMatchObject({
      state: 'killed',
      exit: { reason: expect.stringContaining('left behind') },
    });
  });

  describe('its end is told once', () => {
    const started = answer([use('work', { run_in_background: true })]);

    it('in the next request, and is no wake-up', async () => {
      register();
      const { agent, provider } = test.agent([started, answer('started'), answer('seen'), answer('more')]);
      await agent.run('go');
      await queue.runAll();
      expect(provider.requests).toHaveLength(2);
      await agent.run('and?');
      await agent.run('and now?');
      // The third request carries the note; the fourth has it in its history and no second one.
      expect(provider.requests.map(notices)).toEqual([0, 0, 1, 1]);
      expect(test.session.ofType('inject')).toMatchObject([{ source: { kind: 'task', state: 'completed' } }]);
    });

    it('also when the session was closed meanwhile, and closed again after it was told', async () => {
      register();
      const first = test.agent([started, answer('started')]);
      await first.agent.run('go');
      await queue.runAll();
      for (const expected of [1, 1]) {
        const again = kernelWith(queue, test.session);
        const { conversation } = await replaySession(test.session);
        const { agent, provider } = again.agent([answer('seen')], { conversation });
        await agent.run('hello again');
        expect(provider.requests.map(notices)).toEqual([expected]);
        again.dispose();
      }
      expect(test.session.ofType('inject')).toHaveLength(1);
    });
  });

  describe('that began in the foreground', () => {
    let finish: () => void;
    let aborted: boolean;
    let began: Promise<void>;
    const request = use('build', { target: 'all' });

    beforeEach(() => {
      aborted = false;
      let begin = (): void => undefined;
      began = new Promise((resolve) => (begin = resolve));
      const done = new Promise<void>((resolve) => (finish = resolve));
      register({
        name: 'build',
        async *executeStream(_input: unknown, _ctx, { signal }: ToolOptions) {
          signal.addEventListener('abort', () => ((aborted = true), finish()));
          yield { type: 'partial_output', text: 'before hunter2\n' };
          begin();
          await done;
          yield { type: 'partial_output', text: 'after\n' };
          yield { type: 'final', output: 'built' };
        },
      });
    });

    it('goes on as a task when a person sends it there, with what it wrote before', async () => {
      const run = new AbortController();
      const outcome = test.call(request, run.signal);
      await began;
      expect(test.kernel.executor.sendToBackground(request.id)).toBe(true);
      const { task, status } = await outcome;
      expect([status, task?.title]).toEqual(['ok', 'build']);
      expect(test.policy.rechecked.at(-1)).toMatchObject({ call: { background: true } });
      expect(test.kernel.executor.sendToBackground(request.id)).toBe(false);

      // The run that began it has no say any more.
      run.abort();
      finish();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(aborted).toBe(false);
      expect(await queue.get(task!.id)).toMatchObject({ state: 'completed', exit: { result: 'built' } });
      expect(queue.output.get(task!.id)).toBe('before ***\nafter\n');
    });

    it('can then be killed', async () => {
      const outcome = test.call(request);
      await began;
      test.kernel.executor.sendToBackground(request.id);
      const { task } = await outcome;
      await queue.kill(task!.id, 'enough');
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(aborted).toBe(true);
      expect((await queue.get(task!.id))?.state).toBe('killed');
    });

    it('stays where it is when it may not run in the background', async () => {
      const outcome = test.call(request);
      await began;
      test.policy.again = ({ background }) => ({ verdict: background ? 'deny' : 'allow' });
      test.kernel.executor.sendToBackground(request.id);
      await new Promise((resolve) => setTimeout(resolve, 20));
      finish();
      expect(await outcome).toMatchObject({ status: 'ok', task: null });
      expect(test.payloads('error')).toMatchObject([{ code: 'task.not_taken' }]);
    });
  });

  it('of others looks like an id that never was', async () => {
    register();
    const { task } = await call({ run_in_background: true });
    const signal = new AbortController().signal;
    const request = { cursor: 0, maxBytes: 10, waitMs: 0 };
    const mine = new OwnedTasks(queue, { user: PERSON.user?.name ?? '', session: test.session.id });
    const theirs = new OwnedTasks(queue, { user: 'eve' });
    expect(await mine.get(task!.id)).toMatchObject({ id: task!.id });
    for (const id of [task!.id, 't-000000000000000000000000', '../x', '']) {
      expect(await theirs.get(id)).toBeNull();
      expect(await theirs.output(id, request, signal)).toBeNull();
      expect(await theirs.kill(id, 'mine now')).toBeNull();
    }
    expect(await theirs.list()).toEqual([]);
    expect((await queue.get(task!.id))?.state).toBe('queued');
  });

  it('of a subagent belongs to its parent, which hears how it ended', async () => {
    register();
    test.tool({
      name: 'spawn',
      mutating: true,
      capabilities: ['subagent.spawn'],
      execute: async (_input: unknown, _ctx, { subagents, signal }: ToolOptions) => {
        const budget = { iterations: 5, toolCalls: 5, tokens: 100_000, seconds: 30 };
        return (await subagents!.run({ task: 'build it', budget }, signal)).text;
      },
    });
    const child = new MemorySession('s-child');
    const { agent, provider } = test.agent(
      [
        answer([use('spawn', {})]),
        answer([{ ...use('work', { run_in_background: true }), id: 'c-inner' as never }]),
        answer('the build is under way'),
        answer('fine'),
        answer('it is built'),
      ],
      { subagents: { open: async () => ({ log: child, scratchDir: test.folder }), maxDepth: async () => 2 } },
    );
    await agent.run('build');
    expect(await queue.list({ session: test.session.id })).toHaveLength(1);
    await queue.runAll();
    await agent.run('done?');
    expect(notices(provider.requests.at(-1))).toBe(1);
    expect(child.ofType('inject')).toEqual([]);
  });
});

function notices(request: unknown): number {
  return (JSON.stringify(request).match(/is completed/g) ?? []).length;
}
