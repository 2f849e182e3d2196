import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Tool } from '@wrongstack/contracts';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

describe('invoking a tool', () => {
  let test: TestKernel;
  beforeEach(() => (test = new TestKernel()));
  afterEach(() => test.dispose());
  const run = async (part: Partial<Tool>, signal?: AbortSignal) => {
    test.tool({ name: 'work', ...part });
    return test.call(use('work', { a: 1 }), signal);
  };

  it('ends at timeoutMs as an error result; only this call is aborted', async () => {
    const controller = new AbortController();
    const outcome = await run(
      {
        timeoutMs: 10,
        execute: (_input, _context, { signal }) =>
          untilAborted(signal).then(() => Promise.reject(new Error('x'))),
      },
      controller.signal,
    );
    expect(outcome).toMatchObject({ status: 'timeout', result: { isError: true } });
    expect(textOf(outcome)).toContain('time limit of 10 ms');
    expect(controller.signal.aborted).toBe(false);
  });

  it('keeps what the tool still returns while winding down', async () => {
    const outcome = await run({
      timeoutMs: 10,
      execute: async (_input, _context, { signal }) => {
        await untilAborted(signal);
        return { content: [{ type: 'text', text: 'half of it' }], meta: { exitCode: 143 } };
      },
    });
    expect(outcome.status).toBe('timeout');
    expect(textOf(outcome)).toContain('half of it');
    expect(test.payloads('tool.executed')[0].exitCode).toBe(143);
  });

  it('leaves a tool behind that ignores its signal, and never hears of it again', async () => {
    let finishLate: (error: Error) => void = () => undefined;
    const outcome = await run({
      timeoutMs: 5,
      execute: () => new Promise((_resolve, reject) => (finishLate = reject)),
    });
    expect(outcome.status).toBe('timeout');
    expect(textOf(outcome)).toContain('left behind');
    finishLate(new Error('late'));
    await new Promise(setImmediate);
    expect(test.payloads('tool.executed')).toHaveLength(1);
  });

  it('leaves a stream behind that ignores its signal; what it says later is not published', async () => {
    let goOn: () => void = () => undefined;
    const outcome = await run({
      timeoutMs: 5,
      async *executeStream() {
        yield { type: 'log', text: 'early' };
        await new Promise<void>((resolve) => (goOn = resolve));
        yield { type: 'log', text: 'late' };
        yield { type: 'final', output: 1 };
      },
    });
    goOn();
    await new Promise(setImmediate);
    expect(outcome.status).toBe('timeout');
    expect(test.payloads('tool.progress').map(({ event }) => event.text)).toEqual(['early']);
  });

  it('aborts with the run, runs cleanup, and swallows what cleanup throws', async () => {
    const cleaned: unknown[] = [];
    const controller = new AbortController();
    const author = {
      name: 'work',
      async execute(_input: unknown, _context: unknown, { signal }: { signal: AbortSignal }) {
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
        this.child = child;
        controller.abort();
        await once(child, 'exit');
        return signal.aborted;
      },
      async cleanup(this: { child: ReturnType<typeof spawn> | null }, input: unknown) {
        cleaned.push(input);
        this.child?.kill('SIGKILL');
        throw new Error('swallowed');
      },
      child: null as ReturnType<typeof spawn> | null,
    };
    test = new TestKernel({ limits: { graceMs: 5_000 } });
    const outcome = await run(author, controller.signal);
    expect(outcome.status).toBe('aborted');
    expect(cleaned).toEqual([{ a: 1 }]);
    // It settled once its child was gone, so it was not left behind.
    expect(textOf(outcome)).not.toContain('left behind');
  });

  it('does not run cleanup after a call that ended by itself', async () => {
    const cleanup = jest.fn();
    await run({ cleanup });
    expect(cleanup).not.toHaveBeenCalled();
  });

  it('does not start under a signal that has already aborted', async () => {
    const execute = jest.fn();
    const outcome = await run({ execute }, AbortSignal.abort());
    expect(outcome.status).toBe('aborted');
    expect(execute).not.toHaveBeenCalled();
    expect(test.session.types).toEqual(['tool_use', 'tool_result']);
  });

  it('does not start when the interruption came while it was being decided', async () => {
    const execute = jest.fn();
    const controller = new AbortController();
    test.policy.again = () => (controller.abort(), { verdict: 'allow' });
    expect((await run({ execute }, controller.signal)).status).toBe('aborted');
    expect(execute).not.toHaveBeenCalled();
    expect(test.session.types).not.toContain('tool_started');
  });

  it.each([
    ['a rejection', () => Promise.reject(new Error('broken\n    at secret/stack.ts'))],
    [
      'a synchronous throw',
      () => {
        throw new Error('broken\n    at secret/stack.ts');
      },
    ],
  ])('%s is a one-line error without a stack', async (_what, execute) => {
    const outcome = await run({ execute });
    expect(outcome).toMatchObject({ status: 'failed', result: { isError: true } });
    expect(textOf(outcome)).toBe('Error: broken at secret/stack.ts');
  });
});
