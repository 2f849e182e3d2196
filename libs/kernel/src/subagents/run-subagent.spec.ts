import type { SubagentReport, SubagentTask, ToolOptions } from '@wrongstack/contracts';
import { INTERACTIVE, PERSON } from '../testing/memory-ports.js';
import { MemorySession } from '../testing/memory-session.js';
import { answer, type PlayedTurn, USAGE, use } from '../testing/playing-provider.js';
import { TestKernel } from '../testing/test-kernel.js';
import type { SubagentHost } from './subagent-host.js';

let test: TestKernel;
let reports: SubagentReport[];
let failures: unknown[];
let opened: { readonly log: MemorySession; readonly parent: unknown }[];
let maxDepth: number;

const BUDGET = { iterations: 5, toolCalls: 5, tokens: 100_000, seconds: 30 };

const host: SubagentHost = {
  open: async ({ parent }) => {
    const log = new MemorySession(`s-child-${opened.length + 1}`);
    opened.push({ log, parent });
    return { log, scratchDir: test.folder };
  },
  maxDepth: async () => maxDepth,
};

beforeEach(() => {
  test = new TestKernel();
  reports = [];
  failures = [];
  opened = [];
  maxDepth = 2;
  test.tool({
    name: 'spawn',
    mutating: true,
    capabilities: ['subagent.spawn'],
    execute: async (
      task: Partial<SubagentTask> & Pick<SubagentTask, 'task'>,
      _ctx,
      { subagents, signal }: ToolOptions,
    ) => {
      try {
        const report = await subagents?.run({ ...task, budget: task.budget ?? BUDGET }, signal);
        if (report !== undefined) reports.push(report);
        return report?.text;
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
  });
  test.tool({ name: 'look', capabilities: ['fs.read'] });
  test.tool({ name: 'put', capabilities: ['fs.write'], mutating: true });
  test.tool({ name: 'shell', capabilities: ['shell.arbitrary'], mutating: true });
  test.tool({ name: 'odd' });
});

afterEach(() => test.dispose());

/** The parent's first turn spawns; then the child's turns are played, then the parent's last. */
async function delegate(task: Partial<SubagentTask>, childTurns: readonly PlayedTurn[], part = {}) {
  const spawn = answer([use('spawn', { task: 'find it', ...task })]);
  const { agent, provider } = test.agent([spawn, ...childTurns, answer('parent done')], {
    subagents: host,
    ...part,
  });
  return { result: await agent.run('go'), provider };
}

describe('a subagent', () => {
  it('works in a conversation of its own and gives back its last words', async () => {
    const { result, provider } = await delegate({ name: 'scout' }, [
      answer([use('look', {})]),
      answer('it is in a.ts'),
    ]);
    expect(reports).toMatchObject([
      { name: 'scout', status: 'completed', text: 'it is in a.ts', turns: 2, calls: { total: 1, ok: 1 } },
    ]);
    expect(provider.requests[1]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'find it' }] },
    ]);
    expect(provider.requests.at(-1)?.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', content: [{ text: 'it is in a.ts' }] },
    ]);
    expect(result).toMatchObject({ status: 'completed', text: 'parent done' });
  });

  it('is told about the tools that it may use, under a prompt of its own', async () => {
    const { provider } = await delegate({ name: 'scout' }, [answer('ok')]);
    const request = provider.requests[1];
    expect(request?.tools.map(({ name }) => name)).toEqual(['look', 'put']);
    const prompt = request?.system.map(({ text }) => text).join('\n') ?? '';
    expect(prompt).toContain('You are scout, a subagent');
    expect(prompt).toContain('**look**');
    expect(prompt).not.toContain('**shell**');
  });

  it('is a deeper actor under its parent, with what was asked for and the parent has', async () => {
    const actor = { ...PERSON, ceiling: ['fs.read', 'fs.write', 'subagent.spawn'] };
    await delegate(
      { name: 'scout', capabilities: ['fs.read', 'shell.arbitrary'] },
      [answer([use('look', {})]), answer('ok')],
      { actor },
    );
    expect(test.policy.decided.at(-1)?.actor).toEqual({
      ...actor,
      subagentDepth: 1,
      subagent: 'scout',
      ceiling: ['fs.read'],
      parent: actor,
    });
  });

  it('keeps the ceiling of its parent when nothing is asked for', async () => {
    await delegate({}, [answer([use('look', {})]), answer('ok')]);
    expect(test.policy.decided.at(-1)?.actor).toMatchObject({ ceiling: null, subagent: 'worker' });
  });

  it('has its calls decided also when it was not told about the tool', async () => {
    test.policy.verdicts = ({ tool }) =>
      tool.name === 'shell' ? { verdict: 'deny', because: 'not for subagents' } : { verdict: 'allow' };
    const { result } = await delegate({}, [answer([use('shell', {})]), answer('was denied')]);
    expect(reports[0]?.denials).toMatchObject([{ tool: 'shell', because: 'not for subagents' }]);
    expect(result).toMatchObject({ status: 'stopped_by_policy', calls: { total: 2, denied: 1, ok: 1 } });
  });

  it('asks through the channel of its parent', async () => {
    test.policy.verdicts = ({ tool }) => ({ verdict: tool.name === 'put' ? 'confirm' : 'allow' });
    await delegate({ name: 'writer' }, [answer([use('put', {})]), answer('ok')]);
    expect(test.channel.asked.map(({ call }) => call.actor.subagent)).toEqual(['writer']);
  });

  it('shows in the stream and in the audit log under its name', async () => {
    await delegate({ name: 'scout' }, [answer([use('look', {}, 'c-child')]), answer('ok')]);
    const requested = test
      .payloads('tool.requested')
      .map(({ agent, name, session }) => [agent, name, session]);
    expect(requested).toEqual([
      ['main', 'spawn', 's-test'],
      ['scout', 'look', 's-child-1'],
    ]);
    const audited = test.audit.entries.find(({ call }) => call === 'c-child');
    expect(audited?.decision?.facts.actor.subagent).toBe('scout');
  });

  it('has a log of its own, which the logs link to one another', async () => {
    await delegate({ name: 'scout' }, [answer('ok')]);
    expect(opened[0]?.parent).toEqual({ session: 's-test', call: 'c-spawn', name: 'scout' });
    expect(opened[0]?.log.types).toEqual(['run_start', 'user_input', 'assistant_message', 'run_end']);
    expect(test.session.ofType('subagent')).toMatchObject([
      { call: 'c-spawn', name: 'scout', session: 's-child-1', state: 'started' },
      { call: 'c-spawn', name: 'scout', session: 's-child-1', state: 'ended', status: 'completed' },
    ]);
  });

  it('gets ids for its calls that no call above it has', async () => {
    await delegate({}, [answer([use('look', {}, 'c-spawn')]), answer('ok')]);
    const [parent, child] = test.payloads('tool.requested').map(({ call }) => call);
    expect(child).not.toBe(parent);
  });
});

describe('its budget', () => {
  it.each([
    ['turns', { ...BUDGET, iterations: 1 }],
    ['calls', { ...BUDGET, toolCalls: 1 }],
    ['tokens', { ...BUDGET, tokens: USAGE.inputTokens + USAGE.outputTokens }],
  ])('ends it when its %s are used up, and the parent goes on', async (_what, budget) => {
    const { result } = await delegate({ budget }, [answer([use('look', {})])]);
    expect(reports[0]).toMatchObject({ status: 'limit', turns: 1 });
    expect(result).toMatchObject({ status: 'completed', text: 'parent done' });
    expect(test.payloads('error').every(({ fatal }) => fatal === false)).toBe(true);
  });

  it('ends it when its time is up, and the parent goes on', async () => {
    const hang: PlayedTurn = (_request, signal) => ({
      async *[Symbol.asyncIterator]() {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        signal.throwIfAborted();
      },
    });
    const { result } = await delegate({ budget: { ...BUDGET, seconds: 1 } }, [hang]);
    expect(reports[0]?.status).toBe('timeout');
    expect(result.status).toBe('completed');
  });

  it('is never more than what the parent has left, and counts for it', async () => {
    const { result } = await delegate(
      {},
      [answer([use('look', {}, 'c-1')]), answer([use('look', {}, 'c-2')]), answer([use('look', {}, 'c-3')])],
      { budget: { maxToolCalls: 2 } },
    );
    expect(reports[0]).toMatchObject({ status: 'limit', calls: { total: 2 } });
    expect(result.status).toBe('limit');
    expect(result.usage.outputTokens).toBe(3 * USAGE.outputTokens);
  });

  it('must be whole numbers above zero', async () => {
    await delegate({ budget: { ...BUDGET, seconds: 0 } }, []);
    expect(failures).toMatchObject([{ code: 'subagent.budget', path: '/budget/seconds' }]);
    expect(opened).toEqual([]);
  });
});

describe('what does not start', () => {
  it('a subagent deeper than the policy allows', async () => {
    maxDepth = 0;
    await delegate({}, []);
    expect(failures).toMatchObject([{ code: 'subagent.too_deep' }]);
    expect(opened).toEqual([]);
  });

  it.each(['main', 'wstack', 'A', '../x', 'a b', ''])('one that is named %j', async (name) => {
    await delegate({ name }, []);
    expect(failures).toMatchObject([{ code: 'subagent.name' }]);
  });
});

it('a second one of the same name gets another', async () => {
  const both = [
    use('spawn', { task: 'a', name: 'scout' }, 'c-1'),
    use('spawn', { task: 'b', name: 'scout' }, 'c-2'),
  ];
  const { agent } = test.agent([answer(both), answer('one'), answer('two'), answer('done')], {
    subagents: host,
  });
  await agent.run('go');
  expect(reports.map(({ name, text }) => [name, text])).toEqual([
    ['scout', 'one'],
    ['scout-2', 'two'],
  ]);
});

it('ends when its parent is interrupted', async () => {
  let childRuns: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (childRuns = resolve));
  const hang: PlayedTurn = (_request, signal) => ({
    async *[Symbol.asyncIterator]() {
      childRuns();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      signal.throwIfAborted();
    },
  });
  const { agent } = test.agent([answer([use('spawn', { task: 'x' })]), hang], {
    subagents: host,
    sessionFacts: () => INTERACTIVE,
  });
  const ended = agent.run('go');
  await running;
  agent.abort();
  expect((await ended).status).toBe('interrupted');
  expect(reports[0]?.status).toBe('interrupted');
  expect(opened[0]?.log.types.at(-1)).toBe('run_end');
});

it('a subagent of a subagent is named by the path to it', async () => {
  const asked = ['fs.read', 'subagent.spawn'];
  await delegate({ name: 'outer', capabilities: asked }, [
    answer([use('spawn', { task: 'y', name: 'inner' }, 'c-inner')]),
    answer([use('look', {}, 'c-look')]),
    answer('inner done'),
    answer('outer done'),
  ]);
  const look = test.payloads('tool.requested').find(({ name }) => name === 'look');
  expect(look.agent).toBe('outer/inner');
  expect(test.policy.decided.at(-1)?.actor).toMatchObject({
    subagentDepth: 2,
    subagent: 'inner',
    ceiling: asked,
    parent: { subagent: 'outer', subagentDepth: 1, parent: { subagentDepth: 0 } },
  });
});
