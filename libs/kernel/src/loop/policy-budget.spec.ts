import { type CallId, type ModelResponse, NO_USAGE } from '@wrongstack/contracts';
import { InMemoryMetricsSink } from '../metrics/in-memory-metrics-sink.js';
import { TestKernel } from '../testing/test-kernel.js';
import { Budgets, costOf } from './budgets.js';

const USAGE = { inputTokens: 400, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const PRICES = { small: { input: 1_000, output: 1_000 } };

function callTurn(id: string, index: number): ModelResponse {
  // The model names its calls.
  const use = { type: 'tool_use', id: id as CallId, name: 'peek', input: { index } } as const;
  return { content: [use], stopReason: 'tool_use', usage: NO_USAGE, model: 'small' };
}

describe('what policies allow one run', () => {
  it('only tightens what is configured', () => {
    const budgets = new Budgets({ maxIterations: 9, maxCostUsd: 0.3 }, PRICES);
    budgets.tighten({ maxCostUsd: 5, maxTokens: 1_000 });
    budgets.addTurn(USAGE, ['small']);
    expect(costOf(USAGE, PRICES.small)).toBeCloseTo(0.4);
    expect(budgets.exceeded()).toEqual({
      code: 'agent.cost',
      message: 'stopped at $0.40; raise agent.maxCostUsd to go on',
    });
  });

  it('warns once at four fifths, and stops when it is used up', () => {
    const budgets = new Budgets({ maxIterations: 9 }, PRICES);
    budgets.tighten({ maxTokens: 1_000, maxCostUsd: 0.8, maxToolCalls: 2 });
    budgets.addTurn(USAGE, ['small']);
    expect(budgets.near()).toEqual([]);
    budgets.addTurn(USAGE, ['small']);
    expect(budgets.near()).toEqual([
      { code: 'agent.cost_near', message: '$0.80 of $0.80 are used up' },
      { code: 'agent.tokens_near', message: '800 of 1000 tokens are used up' },
    ]);
    expect(budgets.near()).toEqual([]);
    expect(budgets.exceeded()?.message).toBe('stopped at $0.80, what the policy allows one run');
  });

  it('ends a run with a limit, announced and counted', async () => {
    const test = new TestKernel();
    test.tool({ name: 'peek' });
    const turns = Array.from({ length: 6 }, (_, index) => callTurn(`call-${index}`, index));
    const { agent } = test.agent(turns, {
      policyBudget: async () => ({ maxToolCalls: 5 }),
    });
    const result = await agent.run('look');
    expect(result.status).toBe('limit');
    expect(result.error?.message).toBe('stopped after 5 tool calls, what the policy allows one run');
    const codes = test.payloads('error').map(({ code }) => code as string);
    expect(codes).toEqual(['agent.tool_calls_near', 'agent.tool_calls']);
    const counted = (metrics: InMemoryMetricsSink) =>
      metrics
        .samples()
        .flatMap(({ name, labels }) => (name.includes('budget') ? [[name, labels['limit']]] : []));
    expect(counted(test.metrics)).toEqual([
      ['wrongstack_budget_warnings_total', 'tool_calls'],
      ['wrongstack_budget_stops_total', 'tool_calls'],
    ]);
    test.dispose();
  });
});
