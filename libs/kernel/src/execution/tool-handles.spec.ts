import type { InnerCallOutcome, ToolOptions } from '@wrongstack/contracts';
import { answer, use } from '../testing/playing-provider.js';
import { INTERACTIVE } from '../testing/memory-ports.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

let test: TestKernel;
let outcomes: InnerCallOutcome[];
let handles: ToolOptions[];

/** A tool that runs another: `{ tool, input }`. */
function metaTool(name = 'relay'): void {
  test.tool({
    name,
    mutating: true,
    capabilities: ['tool.mutate.any'],
    execute: async (input: { tool: string; input: unknown }, _ctx, options: ToolOptions) => {
      handles.push(options);
      const outcome = await options.calls?.run(input.tool, input.input, options.signal);
      if (outcome === undefined) return 'no handle';
      outcomes.push(outcome);
      return { content: outcome.result.content, isError: outcome.result.isError };
    },
  });
}

beforeEach(() => {
  test = new TestKernel();
  outcomes = [];
  handles = [];
  metaTool();
  test.tool({ name: 'look', capabilities: ['fs.read'], execute: async () => 'seen' });
});

afterEach(() => test.dispose());

describe('a call that a tool asks for', () => {
  it('goes the whole way under an id of its own, as the same actor', async () => {
    const outcome = await test.call(use('relay', { tool: 'look', input: { path: 'a' } }));
    expect(textOf(outcome)).toBe('seen');
    const [inner] = outcomes;
    expect(inner).toMatchObject({ tool: 'look', status: 'ok' });
    expect(inner?.call).not.toBe('c-relay');
    expect(test.policy.decided.map(({ tool, nesting }) => [tool.name, nesting])).toEqual([
      ['relay', 0],
      ['look', 1],
    ]);
    expect(test.policy.decided[1]?.actor).toBe(test.policy.decided[0]?.actor);
    const ofInner = test.heard.filter(({ payload }) => payload.call === inner?.call).map(({ name }) => name);
    expect(ofInner).toEqual(['tool.requested', 'tool.decided', 'tool.started', 'tool.executed']);
    expect(test.audit.entries.filter(({ kind }) => kind === 'decision').map(({ call }) => call)).toEqual([
      'c-relay',
      inner?.call,
    ]);
  });

  it('is denied for itself, and the outer call says so', async () => {
    test.policy.verdicts = ({ tool }) =>
      tool.name === 'look' ? { verdict: 'deny', because: 'no looking' } : { verdict: 'allow' };
    const outcome = await test.call(use('relay', { tool: 'look', input: {} }));
    expect(outcomes[0]?.status).toBe('denied');
    expect(outcome.result.isError).toBe(true);
    expect(textOf(outcome)).toContain('no looking');
  });

  it('is asked about for itself', async () => {
    test.policy.verdicts = ({ tool }) => ({ verdict: tool.name === 'look' ? 'confirm' : 'allow' });
    await test.call(use('relay', { tool: 'look', input: {} }));
    expect(test.channel.asked.map(({ call }) => call.tool.name)).toEqual(['look']);
  });

  it('is validated, and hooks see it', async () => {
    const seen: string[] = [];
    test.kernel.hooks.preExecute((call) => void seen.push(call.tool), { owner: 'gate' });
    test.tool({ name: 'strict', inputSchema: { type: 'object', required: ['path'] } });
    await test.call(use('relay', { tool: 'strict', input: {} }));
    expect(outcomes[0]).toMatchObject({ status: 'failed' });
    await test.call(use('relay', { tool: 'look', input: {} }));
    expect(seen).toEqual(['relay', 'relay', 'look']);
  });

  it('counts its depth, for the policy to refuse', async () => {
    const inner = { tool: 'relay', input: { tool: 'look', input: {} } };
    await test.call(use('relay', inner));
    expect(test.policy.decided.map(({ nesting }) => nesting)).toEqual([0, 1, 2]);
  });

  it('ends with the outer call', async () => {
    let started = false;
    test.tool({
      name: 'wait',
      execute: async (_input, _ctx, { signal }: ToolOptions) => {
        started = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        throw new Error('stopped');
      },
    });
    const controller = new AbortController();
    const running = test.call(use('relay', { tool: 'wait', input: {} }), controller.signal);
    while (!started) await new Promise(setImmediate);
    controller.abort();
    expect((await running).status).toBe('aborted');
    expect(outcomes[0]?.status).toBe('aborted');
    const late = handles[0]?.calls?.run('look', {}, new AbortController().signal);
    await expect(late).rejects.toMatchObject({ code: 'tool.call_ended' });
  });
});

it('an inner call that ignores its signal is given up before the outer one is', async () => {
  let release = (): void => undefined;
  let started = false;
  test.tool({
    name: 'deaf',
    execute: async () => {
      started = true;
      await new Promise<void>((resolve) => (release = resolve));
    },
  });
  const controller = new AbortController();
  const running = test.call(use('relay', { tool: 'deaf', input: {} }), controller.signal);
  while (!started) await new Promise(setImmediate);
  controller.abort();
  const outcome = await running;
  release();
  expect(outcomes[0]?.status).toBe('aborted');
  expect(textOf(outcome)).toContain('The tool did not react and was left behind.');
});

describe('handles', () => {
  const given: Record<string, readonly string[]> = {};
  const capture = (name: string, capabilities: readonly string[] | undefined): void => {
    test.tool({
      name,
      ...(capabilities === undefined ? {} : { capabilities }),
      execute: async (_input, _ctx, options: ToolOptions) => {
        given[name] = (['catalogue', 'calls', 'subagents'] as const).filter((key) => options[key]);
        handles.push(options);
        return 'ok';
      },
    });
  };

  it('go only to tools that declare their capability', async () => {
    const host = { open: () => Promise.reject(new Error('unused')), maxDepth: async () => 2 };
    const cases: readonly (readonly [string, readonly string[] | undefined])[] = [
      ['plain', undefined],
      ['reader', ['fs.read']],
      ['helper', ['tool.meta']],
      ['runner', ['tool.mutate.any']],
      ['spawner', ['subagent.spawn']],
    ];
    for (const [name, capabilities] of cases) capture(name, capabilities);
    const { agent } = test.agent([answer(cases.map(([name]) => use(name, {}))), answer('done')], {
      subagents: host,
    });
    await agent.run('go');
    expect(given).toEqual({
      plain: [],
      reader: [],
      helper: ['catalogue'],
      runner: ['catalogue', 'calls'],
      spawner: ['subagents'],
    });
    capture('lonely', ['subagent.spawn']);
    await test.call(use('lonely', {}));
    expect(given['lonely']).toEqual([]);
  });

  it('describe tools without handing them out', async () => {
    capture('helper', ['tool.meta']);
    test.tool({ name: 'foreign', description: 'one\n## two', owner: 'x' } as never, 'plugin-x');
    await test.call(use('helper', {}));
    const list = handles[0]?.catalogue?.list() ?? [];
    const foreign = list.find(({ name }) => name === 'foreign');
    expect(foreign).toMatchObject({ owner: 'plugin-x', description: 'one ## two', permission: 'auto' });
    for (const summary of list) {
      expect(Object.values(summary).some((value) => typeof value === 'function')).toBe(false);
    }
  });
});

describe('within a run', () => {
  it('inner calls stay out of the conversation and in its log', async () => {
    const { agent, provider } = test.agent([
      answer([use('relay', { tool: 'look', input: {} }, 'c-1')]),
      answer('done'),
    ]);
    const result = await agent.run('go');
    expect(result.calls).toMatchObject({ total: 2, ok: 2 });
    const sent = provider.requests[1]?.messages.at(-1)?.content ?? [];
    expect(sent.map((block) => (block.type === 'tool_result' ? block.id : block.type))).toEqual(['c-1']);
    const results = test.session.ofType('tool_result');
    expect(results.map((entry) => Reflect.get(entry, 'within'))).toEqual(['c-1', undefined]);
    expect(test.session.ofType('repair')).toEqual([]);
  });

  it('inner denials count for how the run ended', async () => {
    test.policy.verdicts = ({ tool }) => ({ verdict: tool.name === 'look' ? 'deny' : 'allow' });
    const { agent } = test.agent([answer([use('relay', { tool: 'look', input: {} })]), answer('done')]);
    const result = await agent.run('go');
    expect(result.status).toBe('stopped_by_policy');
    expect(result.denials).toMatchObject([{ tool: 'look', capabilities: ['fs.read'] }]);
  });

  it('inner calls use up the budget of the run', async () => {
    const { agent } = test.agent(
      [
        answer([
          use('relay', { tool: 'look', input: {} }, 'c-1'),
          use('relay', { tool: 'look', input: {} }, 'c-2'),
        ]),
        answer('done'),
      ],
      { budget: { maxToolCalls: 1 }, sessionFacts: () => INTERACTIVE },
    );
    const result = await agent.run('go');
    expect(outcomes.map(({ status }) => status)).toEqual(['ok']);
    expect(result.status).toBe('limit');
  });

  it('a plugin that holds calls back holds inner ones back', async () => {
    test.kernel.lifecycle.register({
      name: 'no-looking',
      beforeToolExecution: (_ctx, uses) => uses.filter(({ name }) => name !== 'look'),
    });
    const { agent } = test.agent([answer([use('relay', { tool: 'look', input: {} })]), answer('done')]);
    await agent.run('go');
    expect(outcomes[0]?.status).toBe('aborted');
    expect(test.policy.decided.map(({ tool }) => tool.name)).toEqual(['relay']);
  });
});
