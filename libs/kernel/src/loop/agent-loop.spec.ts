import { type Message, ProviderError, type ToolResultBlock } from '@wrongstack/contracts';
import { answer, use, USAGE } from '../testing/playing-provider.js';
import { TestKernel } from '../testing/test-kernel.js';

const said = (message: Message | undefined): string =>
  (message?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
const resultsOf = (message: Message | undefined): readonly ToolResultBlock[] =>
  ((message?.content ?? []) as readonly { type: string }[]).filter(
    (block): block is ToolResultBlock => block.type === 'tool_result',
  );
const cutOff = () => new ProviderError('provider.truncated', 'the answer was cut off', { retryable: true });

describe('the agent loop', () => {
  let test: TestKernel;
  beforeEach(() => (test = new TestKernel()));
  afterEach(() => test.dispose());

  it('answers: input, request, text, with everything recorded before the request goes out', async () => {
    const { agent, provider } = test.agent([
      () => {
        expect(test.session.types).toEqual(['run_start', 'user_input']);
        expect(test.session.flushes).toBe(1);
        return answer('hello');
      },
    ]);
    const result = await agent.run('hi');
    expect(result).toMatchObject({
      status: 'completed',
      text: 'hello',
      turns: 1,
      usage: USAGE,
      error: null,
      model: 'claude-sonnet-4-5',
    });
    expect(provider.requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
    expect(test.session.types).toEqual(['run_start', 'user_input', 'assistant_message', 'run_end']);
    expect(test.names).toEqual([
      'run.started',
      'iteration.started',
      'message.delta',
      'message.completed',
      'run.finished',
    ]);
    const [delta] = test.payloads('message.delta');
    expect(test.payloads('message.completed')[0].message).toBe(delta.message);
  });

  it('says all of a thought before what follows it, also where its last word is held back for the scrubber', async () => {
    test.scrubber.learn('a secret of some length');
    const { agent } = test.agent([
      async function* () {
        yield { type: 'thinking_delta' as const, text: 'think first' };
        yield { type: 'text_delta' as const, text: 'hello there, how are you today' };
        yield { type: 'done' as const, response: answer('hello there, how are you today') };
      },
    ]);
    await agent.run('hi');
    const deltas = test.payloads('message.delta');
    expect(deltas.map(({ thinking }) => thinking)).toEqual([true, false, false]);
    expect(deltas.map(({ text }) => text).join('')).toBe('think firsthello there, how are you today');
  });

  it('runs calls and hands their results back in the model’s order', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    test.tool({ name: 'slow', execute: async () => (await gate, order.push('slow'), 'slow result') });
    test.tool({ name: 'quick', execute: async () => (order.push('quick'), release(), 'quick result') });
    test.tool({ name: 'change', mutating: true, execute: async () => (order.push('change'), 'changed') });
    const { agent, provider } = test.agent([
      answer([use('slow', {}, 'a'), use('quick', {}, 'b'), use('change', {}, 'c'), use('quick', {}, 'd')]),
      answer('done'),
    ]);
    const result = await agent.run('go');
    // Read-only calls together, the mutating one alone, in the model's order.
    expect(order).toEqual(['quick', 'slow', 'change', 'quick']);
    const answered = resultsOf(provider.requests[1]?.messages.at(-1));
    expect(answered.map(({ id, content }) => [id, said({ role: 'user', content })])).toEqual([
      ['a', 'slow result'],
      ['b', 'quick result'],
      ['c', 'changed'],
      ['d', 'quick result'],
    ]);
    expect(result.calls).toEqual({ total: 4, ok: 4, failed: 0, denied: 0, timeout: 0, aborted: 0 });
  });

  it('ends as stopped by policy when a call was denied, even where the model says done', async () => {
    test.tool({ name: 'work' });
    test.policy.verdicts = () => ({
      verdict: 'deny',
      by: { kind: 'rule', id: 'no' },
      because: 'not here',
      instead: 'there',
    });
    const { agent } = test.agent([answer([use('work', {})]), answer('all done')]);
    expect(await agent.run('go')).toMatchObject({
      status: 'stopped_by_policy',
      text: 'all done',
      denials: [{ tool: 'work', rule: { id: 'no' }, because: 'not here', instead: 'there' }],
    });
  });

  it('answers bad model output with results that say what is wrong, and goes on', async () => {
    test.tool({ name: 'work' });
    const { agent, provider } = test.agent([
      answer([
        { ...use('work', {}, 'a'), inputError: { raw: '{"x', message: 'unexpected end' } },
        use('wrk', {}, 'b'),
      ]),
      answer('sorry'),
    ]);
    expect(await agent.run('go')).toMatchObject({ status: 'completed', calls: { failed: 2 } });
    const texts = resultsOf(provider.requests[1]?.messages.at(-1)).map(({ content }) =>
      said({ role: 'user', content }),
    );
    expect(texts[0]).toContain('cut off');
    expect(texts[1]).toContain('Did you mean work?');
  });

  it('tells two calls of one id apart', async () => {
    test.tool({ name: 'work', execute: async (input) => input });
    const { agent, provider } = test.agent([
      answer([use('work', { n: 1 }, 'same'), use('work', { n: 2 }, 'same')]),
      answer('ok'),
    ]);
    await agent.run('go');
    const results = resultsOf(provider.requests[1]?.messages.at(-1));
    expect(new Set(results.map(({ id }) => id)).size).toBe(2);
    expect(results.map(({ content }) => said({ role: 'user', content }))).toEqual(['{"n":1}', '{"n":2}']);
  });

  describe('providers that fail', () => {
    it('are tried again with growing waits, at least as long as they ask', async () => {
      const busy = (retryAfterMs?: number) =>
        new ProviderError('provider.rate_limited', 'model busy (429)', {
          status: 429,
          retryable: true,
          retryAfterMs,
        });
      const { agent } = test.agent([busy(), busy(), busy(9_000), busy(10_000_000), answer('at last')]);
      expect((await agent.run('hi')).text).toBe('at last');
      expect(test.waits).toEqual([500, 1_000, 9_000, 120_000]);
      expect(test.payloads('model.retry')[0]).toMatchObject({
        attempt: 2,
        of: 6,
        waitMs: 500,
        status: 429,
        reason: 'model busy (429)',
      });
    });

    it('are given up clearly; the session stays whole and the next run goes on', async () => {
      test = new TestKernel({}, { agent: { maxRetries: 1 } });
      test.tool({ name: 'work' });
      const down = () =>
        new ProviderError('provider.unreachable', 'model unreachable: 127.0.0.1 refused', {
          retryable: true,
          hint: 'wstack diag',
        });
      const { agent, provider } = test.agent([
        answer([use('work', {})]),
        down(),
        down(),
        answer('here again'),
      ]);
      expect(await agent.run('go')).toMatchObject({
        status: 'failed',
        error: {
          code: 'provider.unreachable',
          message: 'model unreachable: 127.0.0.1 refused (gave up after 2 tries)',
          hint: 'wstack diag',
        },
        calls: { ok: 1 },
      });
      expect(test.payloads('error')).toMatchObject([{ code: 'provider.unreachable', fatal: true }]);
      expect((await agent.run('again?')).text).toBe('here again');
      // The result of the call that had run is still there, followed by the new input.
      const last = provider.requests.at(-1)?.messages.at(-1);
      expect(resultsOf(last)).toHaveLength(1);
      expect(said(last)).toBe('again?');
    });

    it('are never tried again with a refused key', async () => {
      const { agent, provider } = test.agent([
        new ProviderError('provider.auth', 'key refused (401)', { status: 401, retryable: false }),
      ]);
      expect((await agent.run('hi')).error?.code).toBe('provider.auth');
      expect(provider.requests).toHaveLength(1);
      expect(test.waits).toEqual([]);
    });

    it('lose nothing that was done when a stream is cut off; the torn message gets another id', async () => {
      const { agent } = test.agent([
        async function* () {
          yield { type: 'text_delta' as const, text: 'half an ans' };
        },
        answer('a whole answer'),
      ]);
      expect((await agent.run('hi')).text).toBe('a whole answer');
      const messages = test.payloads('message.delta').map(({ message }) => message);
      expect(new Set(messages).size).toBe(2);
      expect(test.payloads('model.retry')).toHaveLength(1);
    });

    it('keep what a torn answer had said when they stay broken', async () => {
      test = new TestKernel({}, { agent: { maxRetries: 0 } });
      const { agent } = test.agent([
        async function* () {
          yield { type: 'text_delta' as const, text: 'half' };
          throw cutOff();
        },
      ]);
      expect(await agent.run('hi')).toMatchObject({ status: 'failed', text: 'half' });
      expect(test.session.ofType('assistant_message')).toMatchObject([{ content: [{ text: 'half' }] }]);
    });

    it('a hook may ask for another try, not for endless ones', async () => {
      const broken = () => new ProviderError('provider.malformed', 'no JSON', { retryable: false });
      test.kernel.lifecycle.register({ name: 'again', onError: () => ({ action: 'retry' }) });
      const { agent, provider } = test.agent([broken(), answer('fine')]);
      expect((await agent.run('hi')).text).toBe('fine');
      const second = test.agent(Array.from({ length: 20 }, broken));
      expect((await second.agent.run('hi')).status).toBe('failed');
      expect(second.provider.requests.length).toBeLessThan(10);
      expect(provider.requests).toHaveLength(2);
    });

    it('a hook may go on from what a torn answer had said, or begin it anew', async () => {
      const torn = async function* () {
        yield { type: 'text_delta' as const, text: 'half' };
        throw cutOff();
      };
      for (const action of ['continue', 'retry'] as const) {
        test = new TestKernel({}, { agent: { maxRetries: 0 } });
        test.kernel.lifecycle.register({ name: 'again', onError: () => ({ action }) });
        const { agent, provider } = test.agent([torn, answer(' and whole')]);
        expect(await agent.run('hi')).toMatchObject({ status: 'completed' });
        const asked = JSON.stringify(provider.requests[1]?.messages);
        expect([asked.includes('half'), asked.includes('Go on exactly where it stopped')]).toEqual(
          action === 'continue' ? [true, true] : [false, false],
        );
      }
    });

    it('cannot be made: an error, and the session stays', async () => {
      const { agent } = test.agent([], {
        provider: () =>
          Promise.reject(
            new ProviderError('provider.auth', 'no key', { retryable: false, hint: 'wstack auth set' }),
          ),
      });
      expect(await agent.run('hi')).toMatchObject({
        status: 'failed',
        error: { code: 'provider.auth', hint: 'wstack auth set' },
      });
      expect(test.session.types).toEqual(['run_start', 'user_input', 'run_end']);
    });
  });

  describe('limits', () => {
    const forever = (count: number) =>
      Array.from({ length: count }, (_, index) => answer([use('work', { index }, `c${index}`)]));

    it('stops at the iteration limit', async () => {
      test = new TestKernel({}, { agent: { maxIterations: 3 } });
      test.tool({ name: 'work' });
      const { agent, provider } = test.agent(forever(9));
      expect(await agent.run('go')).toMatchObject({
        status: 'limit',
        turns: 3,
        error: { code: 'agent.iterations' },
      });
      expect(provider.requests).toHaveLength(3);
    });

    it('stops at the budget of calls; calls beyond it get a result that says so', async () => {
      test = new TestKernel({}, { agent: { maxToolCalls: 2 } });
      let ran = 0;
      test.tool({ name: 'work', execute: async () => (ran += 1) });
      const { agent } = test.agent([
        answer([use('work', {}, 'a'), use('work', {}, 'b'), use('work', {}, 'c')]),
        answer('never'),
      ]);
      expect(await agent.run('go')).toMatchObject({ status: 'limit', error: { code: 'agent.tool_calls' } });
      expect(ran).toBe(2);
      expect(test.session.ofType('tool_result')).toHaveLength(3);
    });

    it('stops at the budget of money, and knows the cost', async () => {
      test = new TestKernel(
        {},
        { agent: { maxCostUsd: 0.001 }, prices: { 'played-1': { input: 10, output: 50 } } },
      );
      test.tool({ name: 'work' });
      const { agent } = test.agent(forever(9));
      const result = await agent.run('go');
      expect(result).toMatchObject({ status: 'limit', turns: 1, error: { code: 'agent.cost' } });
      expect(result.costUsd).toBeCloseTo(0.0015);
    });

    it('goes on where the output limit cut an answer, a few times', async () => {
      const { agent, provider } = test.agent([answer('one ', 'max_tokens'), answer('two')]);
      expect(await agent.run('go')).toMatchObject({ status: 'completed', text: 'one two' });
      expect(said(provider.requests[1]?.messages.at(-1))).toContain('cut off at the output limit');
      const endless = test.agent(Array.from({ length: 9 }, () => answer('x', 'max_tokens')));
      expect(await endless.agent.run('go')).toMatchObject({
        status: 'limit',
        error: { code: 'model.max_tokens' },
      });
    });

    it('notices a repeated failing call, tells the model, and later stops', async () => {
      test.tool({ name: 'work', execute: () => Promise.reject(new Error('no such file')) });
      const { agent, provider } = test.agent(
        Array.from({ length: 9 }, (_, index) => answer([use('work', { path: 'x' }, `c${index}`)])),
      );
      expect(await agent.run('go')).toMatchObject({
        status: 'failed',
        error: { code: 'agent.loop' },
        calls: { failed: 6 },
      });
      expect(test.payloads('tool.loop_detected').map(({ times }) => times)).toEqual([3, 6]);
      expect(said(provider.requests[3]?.messages.at(-1))).toContain('failed 3 times');
    });

    it('takes no repetition for a loop when something was changed in between', async () => {
      test.tool({ name: 'work', execute: () => Promise.reject(new Error('red')) });
      test.tool({ name: 'edit', mutating: true });
      const turns = Array.from({ length: 4 }, (_, index) =>
        answer([use('work', {}, `w${index}`), use('edit', { index }, `e${index}`)]),
      );
      const { agent } = test.agent([...turns, answer('ok')]);
      expect((await agent.run('go')).status).toBe('completed');
      expect(test.names).not.toContain('tool.loop_detected');
    });
  });

  describe('interrupting', () => {
    it('keeps the partial text and ends as interrupted, whatever the provider does', async () => {
      const { agent } = test.agent([
        async function* () {
          yield { type: 'text_delta' as const, text: 'so far' };
          agent.abort();
          await new Promise(() => undefined);
        },
      ]);
      expect(await agent.run('go')).toMatchObject({ status: 'interrupted', text: 'so far', error: null });
      expect(test.session.ofType('assistant_message')).toMatchObject([{ content: [{ text: 'so far' }] }]);
    });

    it('ends the calls of the turn, each with a result', async () => {
      const controller = new AbortController();
      test.tool({ name: 'first', mutating: true, execute: async () => (controller.abort(), 'ran') });
      test.tool({ name: 'second', mutating: true });
      const { agent } = test.agent([
        answer([use('first', {}, 'a'), use('second', {}, 'b')]),
        answer('never'),
      ]);
      const result = await agent.run('go', { signal: controller.signal });
      expect(result).toMatchObject({ status: 'interrupted', calls: { total: 2, aborted: 2 } });
      expect(test.payloads('tool.executed')).toHaveLength(2);
    });

    it('runs abort hooks when the run ends, in reverse, past one that throws', async () => {
      const order: string[] = [];
      test.tool({
        name: 'work',
        execute: async (_input, context) => {
          context.registerAbortHook(() => void order.push('first'));
          context.registerAbortHook(() => Promise.reject(new Error('bad hook')));
          context.registerAbortHook(() => void order.push('never'))();
          context.registerAbortHook(async () => void order.push('last'));
          return 'ok';
        },
      });
      test.kernel.events.on('tool.executed', () => order.push('call ended'));
      const { agent } = test.agent([answer([use('work', {})]), answer('done')]);
      await agent.run('go');
      expect(order).toEqual(['call ended', 'last', 'first']);
    });

    it('allows one run at a time', async () => {
      const { agent } = test.agent([answer('ok')]);
      const first = agent.run('go');
      await expect(agent.run('again')).rejects.toMatchObject({ code: 'agent.busy' });
      expect((await first).status).toBe('completed');
      expect(agent.running).toBe(false);
    });
  });

  describe('notices', () => {
    it('wait for the next request, durable, never between a call and its result', async () => {
      test.tool({
        name: 'work',
        execute: async (_input, _context, { agent }) => {
          agent?.inject('task t-1 finished', { source: { kind: 'task', task: 't-1' } });
          return 'ok';
        },
      });
      const { agent, provider } = test.agent([answer([use('work', {})]), answer('done'), answer('more')]);
      await agent.run('go');
      const second = provider.requests[1]?.messages.at(-1);
      expect(second?.content.map(({ type }) => type)).toEqual(['tool_result', 'text']);
      expect(said(second)).toBe('task t-1 finished');
      // On an idle agent it wakes nobody, and the next run's first request carries it.
      agent.inject([{ type: 'text', text: 'while idle' }], { source: { kind: 'plugin', plugin: 'p' } });
      expect(provider.requests).toHaveLength(2);
      await agent.run('next');
      expect(said(provider.requests[2]?.messages.at(-1))).toBe('while idle\nnext');
      expect(test.session.ofType('inject')).toHaveLength(2);
    });

    it('are safe when the session is gone', async () => {
      const { agent } = test.agent([]);
      test.session.failure = new Error('closed');
      expect(() => agent.inject('late', { source: { kind: 'task' } })).not.toThrow();
      await new Promise(setImmediate);
    });
  });

  describe('extension points', () => {
    it('passes the six pipelines', async () => {
      const { pipelines } = test.kernel;
      test.tool({ name: 'work', execute: async (input) => input });
      const seen: string[] = [];
      for (const pipeline of pipelines.all()) {
        (pipeline as unknown as typeof pipelines.request).use({
          name: 'spy',
          handler: (value, next) => (seen.push(pipeline.name), next(value)),
        });
      }
      pipelines.userInput.use({
        name: 'more',
        handler: (value, next) => next([...value, { type: 'text', text: 'and this' }]),
      });
      pipelines.request.use({
        name: 'inject-headers',
        handler: (request, next) => {
          (request as { headers?: Record<string, string> }).headers = { 'x-tenant': 'a' };
          return next(request);
        },
      });
      pipelines.toolCall.use({
        name: 'rewrite',
        handler: (call, next) => next({ ...call, id: 'other' as never, input: { b: 2 } }),
      });
      pipelines.assistantOutput.use({
        name: 'shout',
        handler: async (value, next) => (await next(value)).toUpperCase(),
      });
      const { agent, provider } = test.agent([answer([use('work', { a: 1 }, 'c-1')]), answer('done')]);
      expect((await agent.run('hi')).text).toBe('DONE');
      expect(seen).toEqual([
        'userInput',
        'contextWindow',
        'request',
        'response',
        'toolCall',
        'contextWindow',
        'request',
        'response',
        'assistantOutput',
      ]);
      expect(provider.requests[0]?.headers).toEqual({ 'x-tenant': 'a' });
      expect(said(provider.requests[0]?.messages[0])).toBe('hi\nand this');
      // What the pipeline made of the call was decided; the result still belongs to the model's id.
      expect(test.policy.decided[0]?.input).toEqual({ b: 2 });
      expect(resultsOf(provider.requests[1]?.messages.at(-1))[0]?.id).toBe('c-1');
    });

    it('middleware that throws is named and changes no decision', async () => {
      test.tool({ name: 'work' });
      test.kernel.pipelines.toolCall.use({
        name: 'bad',
        owner: 'p',
        handler: () => Promise.reject(new Error('boom')),
      });
      const { agent } = test.agent([answer([use('work', {})]), answer('done')]);
      expect((await agent.run('go')).calls.ok).toBe(1);
      expect(test.payloads('pipeline.failed')).toMatchObject([
        { pipeline: 'toolCall', owner: 'p', handler: 'bad', message: 'boom' },
      ]);
    });

    it('runs all eight lifecycle hooks', async () => {
      const seen: string[] = [];
      const note = (name: string) => () => void seen.push(name);
      test.tool({ name: 'work' });
      test.kernel.lifecycle.register({
        name: 'all',
        beforeRun: note('beforeRun'),
        afterRun: (_ctx, result) => void seen.push(`afterRun ${result.status}`),
        beforeIteration: note('beforeIteration'),
        afterIteration: note('afterIteration'),
        onError: note('onError'),
        wrapProviderRunner: (ctx, request, inner) => (seen.push('wrapProviderRunner'), inner(ctx, request)),
        beforeToolExecution: (_ctx, uses) => (
          seen.push('beforeToolExecution'),
          uses.filter(({ id }) => id !== 'held')
        ),
        afterToolExecution: (_ctx, outputs) => void seen.push(`afterToolExecution ${outputs.length}`),
      });
      const { agent, provider } = test.agent([
        answer([use('work', {}, 'a'), use('work', {}, 'held')]),
        new ProviderError('provider.bad_request', 'bad', { retryable: false }),
      ]);
      await agent.run('go');
      expect(seen).toEqual([
        'beforeRun',
        'beforeIteration',
        'wrapProviderRunner',
        'beforeToolExecution',
        'afterToolExecution 1',
        'afterIteration',
        'beforeIteration',
        'wrapProviderRunner',
        'onError',
        'afterIteration',
        'afterRun failed',
      ]);
      const held = resultsOf(provider.requests[1]?.messages.at(-1)).find(({ id }) => id === 'held');
      expect(held?.content).toEqual([{ type: 'text', text: 'Not run: a plugin held this call back.' }]);
    });
  });

  describe('secrets', () => {
    it('are masked in what is stored and shown, and not in what goes to the tool', async () => {
      test.scrubber.learn('hunter2hunter2');
      let seen: unknown;
      test.tool({ name: 'work', execute: async (input) => ((seen = input), 'ok') });
      const { agent } = test.agent([
        answer([
          { type: 'text', text: 'using hunter2hunter2' },
          use('work', { key: 'hunter2hunter2' }, 'c-1'),
        ]),
        answer('hunter2hunter2'),
      ]);
      const result = await agent.run('my key is hunter2hunter2');
      expect(seen).toEqual({ key: 'hunter2hunter2' });
      expect(result.text).toBe('***');
      expect(test.session.lines.join('\n')).not.toContain('hunter2hunter2');
      expect(JSON.stringify(test.heard)).not.toContain('hunter2hunter2');
      expect(test.session.ofType('assistant_message')[0]).toMatchObject({ masked: ['c-1'] });
      const broken = { raw: '{"key":"hunter2hunter2', message: 'cut off' };
      const failing = test.agent([
        answer([{ ...use('work', {}, 'c-2'), inputError: broken }]),
        new ProviderError('provider.bad_request', 'bad hunter2hunter2', { retryable: false }),
      ]);
      expect((await failing.agent.run('go')).error?.message).toBe('bad ***');
      expect(test.session.lines.join('\n')).not.toContain('hunter2hunter2');
    });

    it('are masked where a model made them the name or the id of a call', async () => {
      test.scrubber.learn('hunter2hunter2');
      test.tool({ name: 'work', execute: async () => 'ok' });
      const { agent } = test.agent([
        answer([use('hunter2hunter2', {}, 'c-1'), use('work', {}, 'hunter2hunter2')]),
        answer('done'),
      ]);
      await agent.run('go');
      expect(test.session.lines.join('\n')).not.toContain('hunter2hunter2');
      expect(JSON.stringify(test.heard)).not.toContain('hunter2hunter2');
      expect(test.session.ofType('tool_result')).toMatchObject([
        { name: '***', status: 'failed' },
        { name: 'work', status: 'ok' },
      ]);
    });
  });
});
