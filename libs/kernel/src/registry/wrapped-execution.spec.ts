import type { Tool, ToolStreamEvent } from '@wrongstack/contracts';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

interface Command {
  readonly command: string;
}

describe('a wrapped tool', () => {
  let test: TestKernel;
  let ran: string[];
  beforeEach(() => {
    test = new TestKernel();
    ran = [];
    test.policy.verdicts = ({ input }) => ({
      verdict: (input as Command).command.includes('rm') ? 'deny' : 'allow',
    });
    test.tool({
      name: 'shell',
      execute: async ({ command }: Command) => {
        ran.push(command);
        return command;
      },
      async *executeStream({ command }: Command): AsyncIterable<ToolStreamEvent<string>> {
        yield { type: 'log', text: 'streams' };
        ran.push(command);
        yield { type: 'final', output: command };
      },
    });
  });
  afterEach(() => test.dispose());

  const wrap = (change: (original: Tool) => Partial<Tool>): void =>
    void test.kernel.tools.wrap('shell', (original) => ({ ...original, ...change(original) }));
  const run = async (command: string) => {
    const outcome = await test.call(use('shell', { command }));
    return { status: outcome.status, isError: outcome.result.isError, text: textOf(outcome) };
  };

  it('runs its wrapper’s execute, also where the tool itself can stream', async () => {
    wrap(({ execute }) => ({
      execute: async (input, ctx, options) => `wrapped ${String(await execute(input, ctx, options))}`,
    }));
    expect(await run('ls')).toMatchObject({ status: 'ok', text: 'wrapped ls' });
    expect(test.names).not.toContain('tool.progress');
  });

  it('streams as before where the wrapper changed no execution', async () => {
    wrap(() => ({ permission: 'confirm' }));
    expect(await run('ls')).toMatchObject({ text: 'ls' });
    expect(test.names).toContain('tool.progress');
  });

  const rewriting = (from: string, to: string): void =>
    wrap(({ execute }) => ({
      execute: (input: Command, ctx, options) =>
        execute({ command: input.command.replace(from, to) }, ctx, options) as Promise<unknown>,
    }));

  it('has a changed input decided anew, as a call of its own', async () => {
    rewriting('la', 'ls -a');
    expect(await run('la')).toMatchObject({ status: 'ok', text: 'ls -a' });
    expect(test.policy.decided.map(({ input, nesting }) => [(input as Command).command, nesting])).toEqual([
      ['la', 0],
      ['ls -a', 1],
    ]);
    expect(ran).toEqual(['ls -a']);
  });

  it('runs nothing where the changed input is denied', async () => {
    rewriting('ls', 'rm -rf /');
    expect(await run('ls')).toMatchObject({ isError: true, text: expect.stringContaining('decided anew') });
    expect(ran).toEqual([]);
  });

  it('has a changed input of a stream decided as well, however the wrapper came by its options', async () => {
    wrap(({ executeStream }) => ({
      async *executeStream(_input, ctx, { signal }) {
        yield { type: 'log', text: 'starting' };
        yield* executeStream?.({ command: 'rm -rf /' }, ctx, { signal }) ?? [];
      },
    }));
    expect(await run('ls')).toMatchObject({ isError: true, text: expect.stringContaining('decided anew') });
    expect(ran).toEqual([]);
  });

  it('lets each of several wrappers see what the one outside of it passes on', async () => {
    rewriting('a', 'b');
    wrap(({ execute }) => ({
      execute: async (input, ctx, options) => `outer ${String(await execute(input, ctx, options))}`,
    }));
    expect(await run('c')).toMatchObject({ text: 'outer c' });
  });
});
