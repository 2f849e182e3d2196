import type { RegisteredTool, Tool, ToolResult } from '@wrongstack/contracts';
import { factsFor } from '../testing/fixed-policy.js';
import { use } from '../testing/playing-provider.js';
import { TestKernel, textOf } from '../testing/test-kernel.js';

describe('ToolExecutor', () => {
  let test: TestKernel;
  let ran: unknown[];
  beforeEach(() => {
    test = new TestKernel();
    ran = [];
  });
  afterEach(() => test.dispose());

  const recorder = (part: Partial<Tool> = {}, owner?: string) =>
    test.tool({ name: 'work', execute: async (input) => (ran.push(input), 'worked'), ...part }, owner);

  describe('where the tool may end up', () => {
    const paths = [
      {
        claimed: '***.txt',
        real: '/project/***.txt',
        access: 'write' as const,
        inside: true,
        relative: '***.txt',
        exists: false,
        linkLeavesProject: false,
        scratch: false,
        protected: null,
        credential: null,
        agentOwn: false,
        device: false,
        command: null,
      },
    ];
    const told = async (): Promise<unknown> => {
      let options: readonly string[] | undefined;
      test.tool({
        name: 'work',
        execute: async (_input, _context, opts) => ((options = opts.decidedPaths), ''),
      });
      test.policy.verdicts = (call) => ({ facts: factsFor(call, { paths }) });
      await test.call(use('work', {}));
      return options;
    };

    it('is what was decided, although the record of it is masked', async () => {
      test.policy.decidedPaths = () => ['/project/looks-secret.txt'];
      expect(await told()).toEqual(['/project/looks-secret.txt']);
    });

    it('is what the record says where the policy knows no more', async () => {
      expect(await told()).toEqual(['/project/***.txt']);
    });
  });

  describe('what does not reach the tool', () => {
    it.each([
      ['an unknown name, with the nearest ones', use('wrk', {}), /no tool named "wrk".*Did you mean work/],
      [
        'arguments that were cut off',
        { ...use('work', {}), inputError: { raw: '{"a', message: 'unexpected end' } },
        /cut off.*Nothing ran/,
      ],
      [
        'an input that does not fit the schema',
        use('work', { path: 7 }),
        /Invalid input for work: \/path: must be string.*Nothing ran/,
      ],
      ['a missing field', use('work', {}), /field "path" is missing/],
      [
        'a __proto__ key at any depth',
        use('work', JSON.parse('{"path":"a","more":{"__proto__":{"x":1}}}')),
        /__proto__/,
      ],
      ['a constructor object', use('work', { path: 'a', constructor: { prototype: {} } }), /constructor/],
      ['something that is not JSON', use('work', { path: 'a', f: () => 1 }), /function, which is not JSON/],
    ])('%s', async (_what, request, message) => {
      recorder({
        inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      });
      const outcome = await test.call(request);
      expect(outcome).toMatchObject({ status: 'failed', result: { isError: true } });
      expect(textOf(outcome)).toMatch(message);
      expect(textOf(outcome)).not.toContain('\n');
      expect(ran).toEqual([]);
      expect(test.policy.decided).toEqual([]);
      expect(test.payloads('tool.executed')).toHaveLength(1);
    });

    it('a denied call: the model learns rule, because and instead, and nothing else', async () => {
      recorder();
      test.policy.verdicts = (call) => ({
        verdict: 'deny',
        demanded: 'deny',
        by: { kind: 'rule', id: 'no-prod', tier: 'team', document: 'payments', revision: 42 },
        because: 'Production goes through the pipeline',
        instead: 'open a deploy request',
        facts: factsFor(call, { project: '/secret/place' }),
      });
      const outcome = await test.call(use('work', {}));
      expect(outcome.status).toBe('denied');
      expect(textOf(outcome)).toBe(
        'Denied by rule no-prod (team payments r42). Because: Production goes through the pipeline. Instead: open a deploy request. Nothing ran.',
      );
      expect(ran).toEqual([]);
      expect(test.audit.entries.map(({ kind }) => kind)).toEqual(['decision']);
      expect(test.channel.asked).toEqual([]);
      expect(test.payloads('tool.executed')).toMatchObject([{ status: 'denied', isError: true }]);
    });

    it('a confirm that headless turned into a denial says that nobody can be asked', async () => {
      recorder();
      test.policy.verdicts = () => ({
        verdict: 'deny',
        demanded: 'confirm',
        because: 'tool work needs confirmation',
      });
      expect(textOf(await test.call(use('work', {})))).toContain(
        'needs a yes from a person, and nobody can be asked here',
      );
    });

    it('a call that the policy could not decide', async () => {
      recorder();
      test.policy.decide = () => Promise.reject(new Error('engine broke'));
      const outcome = await test.call(use('work', {}));
      expect(outcome.status).toBe('denied');
      expect(textOf(outcome)).toContain('engine broke');
      expect(ran).toEqual([]);
    });
  });

  describe('hooks', () => {
    it('pass their demands to the policy', async () => {
      recorder();
      test.kernel.hooks.preExecute(() => ({ decision: 'ask', reason: 'look first' }), { owner: 'p' });
      await test.call(use('work', {}));
      expect(test.policy.decided[0]?.hookDemands).toEqual([
        { owner: 'p', verdict: 'confirm', reason: 'look first' },
      ]);
    });

    it('deny when they throw or run out of time; observers only lose their say', async () => {
      recorder();
      test.kernel.hooks.preExecute(() => Promise.reject(new Error('no answer')), { owner: 'p' });
      test.kernel.hooks.preExecute(() => new Promise<undefined>(() => undefined), {
        owner: 'q',
        timeoutMs: 5,
      });
      test.kernel.events.on('tool.requested', () => {
        throw new Error('observer');
      });
      await test.call(use('work', {}));
      expect(test.policy.decided[0]?.hookDemands.map(({ owner, verdict }) => [owner, verdict])).toEqual([
        ['p', 'deny'],
        ['q', 'deny'],
      ]);
    });

    it('may rewrite an input, which starts again from validation', async () => {
      recorder({ inputSchema: { type: 'object', properties: { path: { type: 'string' } } } });
      test.kernel.hooks.preExecute(
        ({ input }) => ((input as { path: string }).path === 'a' ? { input: { path: 'b' } } : undefined),
        {
          owner: 'p',
        },
      );
      await test.call(use('work', { path: 'a' }));
      expect(ran).toEqual([{ path: 'b' }]);
      expect(test.policy.decided.map(({ input }) => input)).toEqual([{ path: 'b' }]);
    });

    it('cannot smuggle in what the schema refuses, nor rewrite for ever', async () => {
      recorder({ inputSchema: { type: 'object', properties: { n: { type: 'number' } } } });
      const dispose = test.kernel.hooks.preExecute(() => ({ input: { n: 'x' } }), { owner: 'p' });
      expect(textOf(await test.call(use('work', { n: 1 })))).toContain('/n: must be number');
      dispose();
      test.kernel.hooks.preExecute(({ input }) => ({ input: { n: (input as { n: number }).n + 1 } }), {
        owner: 'p',
      });
      const outcome = await test.call(use('work', { n: 1 }));
      expect(outcome.status).toBe('denied');
      expect(textOf(outcome)).toContain('more than 3 times');
      expect(ran).toEqual([]);
    });

    it('after the call see the raw result and may replace it; one that fails withholds it', async () => {
      recorder();
      const dispose = test.kernel.hooks.postExecute(
        (_call, result): ToolResult => ({ ...result, content: [{ type: 'text', text: 'replaced' }] }),
        { owner: 'p' },
      );
      expect(textOf(await test.call(use('work', {})))).toBe('replaced');
      dispose();
      test.kernel.hooks.postExecute(() => Promise.reject(new Error('inspector down')), { owner: 'p' });
      const outcome = await test.call(use('work', {}));
      expect(outcome.status).toBe('failed');
      expect(textOf(outcome)).toMatch(/withheld: .*inspector down/);
      expect(textOf(outcome)).not.toContain('worked');
    });
  });

  describe('recording', () => {
    it('writes the decision before the tool runs, and does not run it when that fails', async () => {
      recorder();
      test.audit.failure = new Error('disk full');
      const outcome = await test.call(use('work', {}));
      expect(outcome.status).toBe('denied');
      expect(textOf(outcome)).toContain('audit');
      expect(ran).toEqual([]);
      expect(test.payloads('error')).toMatchObject([{ code: 'audit.gap' }]);
    });

    it('lets calls without dangerous capabilities pass where the locks say allow-safe, and counts the gap', async () => {
      const lenient = new TestKernel({ auditFailure: () => Promise.resolve('allow-safe') });
      lenient.audit.failure = new Error('disk full');
      lenient.tool({ name: 'work' });
      expect((await lenient.call(use('work', {}))).status).toBe('ok');
      for (const name of ['shell.arbitrary', 'unknown', 'invented.thing']) {
        lenient.policy.verdicts = (call) => ({
          verdict: 'allow',
          facts: factsFor(call, { effective: [{ name, declared: true, carriedBy: 'all' }] }),
        });
        expect((await lenient.call(use('work', {}))).status).toBe('denied');
      }
      expect(
        lenient.metrics.samples().find(({ name }) => name === 'wrongstack_audit_gaps_total')?.value,
      ).toBeGreaterThan(0);
      lenient.dispose();
    });

    it('fails the run, and still announces the call, when the session log cannot be written', async () => {
      recorder({ execute: async () => ((test.session.failure = new Error('disk full')), 'worked') });
      await expect(test.call(use('work', {}))).rejects.toThrow('disk full');
      // At the end and at the beginning alike.
      await expect(test.call(use('work', {}))).rejects.toThrow('disk full');
      expect(test.payloads('tool.requested')).toHaveLength(2);
      expect(test.payloads('tool.executed')).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    });

    it('stores a masked input as masked', async () => {
      recorder();
      test.scrubber.learn('hunter2');
      await test.call(use('work', { password: 'hunter2' }));
      expect(ran).toEqual([{ password: 'hunter2' }]);
      expect(test.session.ofType('tool_use')).toMatchObject([{ input: { password: '***' }, masked: true }]);
    });
  });

  describe('the recheck', () => {
    it('voids the call when something changed since it was decided', async () => {
      recorder();
      test.policy.again = () => ({ verdict: 'confirm', because: 'src/a.ts changed since it was shown' });
      const outcome = await test.call(use('work', {}));
      expect(outcome.status).toBe('denied');
      expect(textOf(outcome)).toContain('src/a.ts changed since it was shown');
      expect(ran).toEqual([]);
      expect(test.audit.entries.map(({ kind }) => kind)).toContain('recheck');
      expect(test.session.types).not.toContain('tool_started');
    });

    it('denies when the policy meanwhile demands more, or cannot answer', async () => {
      recorder();
      test.policy.again = () => ({ verdict: 'allow', obligations: [{ sandbox: 'read-only' }] });
      expect((await test.call(use('work', {}))).status).toBe('denied');
      test.policy.recheck = () => Promise.reject(new Error('gone'));
      expect((await test.call(use('work', {}))).status).toBe('denied');
      expect(ran).toEqual([]);
    });
  });

  describe('settings', () => {
    const decidedTool = (): RegisteredTool | undefined => test.policy.decided.at(-1)?.tool;

    it('tighten what the tool declares, before the facts are computed', async () => {
      test = new TestKernel(
        {},
        { tools: { work: { permission: 'deny', riskTier: 'destructive', timeoutMs: 5, maxOutputBytes: 9 } } },
      );
      recorder({ timeoutMs: 100 });
      await test.call(use('work', {}));
      expect(decidedTool()).toMatchObject({
        permission: 'deny',
        riskTier: 'destructive',
        timeoutMs: 5,
        maxOutputBytes: 9,
      });
    });

    it('never loosen it', async () => {
      test = new TestKernel(
        {},
        {
          tools: {
            work: { permission: 'confirm', riskTier: 'standard', timeoutMs: 500, maxOutputBytes: 500 },
          },
        },
      );
      recorder({ permission: 'deny', riskTier: 'destructive', timeoutMs: 50, maxOutputBytes: 50 });
      await test.call(use('work', {}));
      expect(decidedTool()).toMatchObject({
        permission: 'deny',
        riskTier: 'destructive',
        timeoutMs: 50,
        maxOutputBytes: 50,
      });
    });

    it('leave undeclared what was never declared: rules see it as unknown', async () => {
      test = new TestKernel({}, { tools: { work: { permission: 'confirm', riskTier: 'standard' } } });
      recorder({ permission: undefined, riskTier: undefined });
      await test.call(use('work', {}));
      expect(decidedTool()?.permission).toBeUndefined();
      expect(decidedTool()?.riskTier).toBeUndefined();
    });
  });

  describe('credentials', () => {
    it('are the declared ones, and a missing one is named', async () => {
      const asked: string[] = [];
      test = new TestKernel({
        credentials: {
          resolve: async ({ name }) => (asked.push(name), name === 'KEY' ? 'v-1234567' : undefined),
        },
      });
      let seen: unknown;
      recorder({
        credentials: ['KEY'],
        execute: async (_input, _context, options) => ((seen = options.credentials), `v-1234567`),
      });
      const outcome = await test.call(use('work', {}));
      expect(seen).toEqual({ KEY: 'v-1234567' });
      expect(textOf(outcome)).toBe('***');
      test.tool({ name: 'other', credentials: ['NOPE'] });
      expect(textOf(await test.call(use('other', {})))).toMatch(
        /needs the credential NOPE.*wstack auth set NOPE/,
      );
      expect(asked).toEqual(['KEY', 'NOPE']);
    });
  });

  it('stops one call without stopping the run', async () => {
    recorder({
      execute: (_input, _context, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    });
    const call = test.call(use('work', {}, 'c-9'));
    await new Promise(setImmediate);
    expect(test.kernel.executor.abortCall('c-9' as never)).toBe(true);
    expect((await call).status).toBe('aborted');
    expect(test.kernel.executor.abortCall('c-9' as never)).toBe(false);
  });
});
