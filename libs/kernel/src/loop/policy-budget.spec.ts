import { type CallId, type ModelResponse, NO_USAGE, WrongStackError } from '@wrongstack/contracts';
import { InMemoryMetricsSink } from '../metrics/in-memory-metrics-sink.js';
import { TestKernel } from '../testing/test-kernel.js';
import { Budgets, costOf } from './budgets.js';
import type { SharedLimit } from './shared-limit.js';

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
    expect(budgets.exceeded()).toMatchObject({
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
    expect(budgets.near()).toMatchObject([
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
        .flatMap(({ name, labels, value }) =>
          name.includes('budget') ? [[name, labels['scope'], labels['limit'], value]] : [],
        );
    expect(counted(test.metrics)).toEqual([
      ['wrongstack_budget_used_ratio', 'run', 'tool_calls', 1],
      ['wrongstack_budget_warnings_total', 'run', 'tool_calls', 1],
      ['wrongstack_budget_stops_total', 'run', 'tool_calls', 1],
    ]);
    test.dispose();
  });
});

const TOKENS: SharedLimit = {
  ...{ scope: 'team', name: 'payments', per: 'month', limit: 'tokens', most: 10_000, used: 7_500 },
};

describe('what policies allow a user or a team', () => {
  it('counts what this run used up since it was looked at, and leaves its subagents the rest', () => {
    const budgets = new Budgets({ maxIterations: 9 }, PRICES);
    budgets.tighten({
      maxTokens: 5_000,
      shared: [TOKENS, { ...TOKENS, limit: 'tool_calls', most: 3, used: 1 }],
    });
    expect([budgets.tokensLeft, budgets.callsLeft, budgets.costLeft]).toEqual([2_500, 2, Infinity]);
    budgets.addTurn(USAGE, ['small']);
    budgets.addCalls(1);
    expect([budgets.tokensLeft, budgets.callsLeft]).toEqual([2_100, 1]);
    // Looked at again: what others and this run used up meanwhile is in it.
    budgets.tighten({ shared: [{ ...TOKENS, used: 9_000 }] });
    expect(budgets.tokensLeft).toBe(1_000);
    expect(budgets.ratios()).toEqual([{ scope: 'team', limit: 'tokens', ratio: 0.9 }]);
  });

  it('warns at four fifths and stops at the limit, and says whose it is and when it begins anew', () => {
    const budgets = new Budgets({ maxIterations: 9 }, PRICES);
    budgets.tighten({ shared: [TOKENS] });
    expect([budgets.near(), budgets.exceeded()]).toEqual([[], null]);
    budgets.tighten({ shared: [{ ...TOKENS, used: 8_000 }] });
    const message = 'team payments has used up 8000 of 10000 tokens of this month';
    expect(budgets.near()).toMatchObject([{ code: 'budget.team_tokens_near', message }]);
    expect([budgets.near(), budgets.exceeded()]).toEqual([[], null]);
    budgets.tighten({ shared: [{ ...TOKENS, used: 10_000 }] });
    expect(budgets.exceeded()).toEqual({
      code: 'budget.team_tokens',
      message:
        'stopped: team payments has used up 10000 of 10000 tokens of this month, what the policy allows',
      hint: 'it begins anew with the next month (UTC); only who publishes the policy can raise it',
    });
    const cost: SharedLimit = {
      ...TOKENS,
      scope: 'user',
      name: 'mira',
      per: 'day',
      limit: 'cost',
      most: 5,
      used: 5.5,
    };
    budgets.tighten({ shared: [cost] });
    expect(budgets.exceeded()).toMatchObject({
      code: 'budget.user_cost',
      message: 'stopped: user mira has used up $5.50 of $5.00 of this day, what the policy allows',
    });
  });

  it('spends nothing on a model without a price where a policy limits cost', () => {
    const budgets = new Budgets({ maxIterations: 9, maxCostUsd: 1 }, PRICES, 'unheard-of');
    expect(budgets.exceeded()).toBeNull();
    budgets.tighten({ maxCostUsd: 5 });
    expect(budgets.exceeded()).toMatchObject({
      code: 'budget.no_price',
      message: 'the policy limits cost, and the configuration has no price for unheard-of',
    });
    budgets.tighten({ shared: [{ ...TOKENS, limit: 'cost', most: 5, used: 0 }] });
    expect(budgets.exceeded()).toMatchObject({ code: 'budget.no_price' });
    expect(new Budgets({ maxIterations: 9 }, PRICES, 'small').exceeded()).toBeNull();
  });

  it('is asked before each model request, and what cannot be known ends the run', async () => {
    const test = new TestKernel();
    test.tool({ name: 'peek' });
    const asked: number[] = [];
    const { agent } = test.agent([callTurn('call-0', 0), callTurn('call-1', 1), callTurn('call-2', 2)], {
      policyBudget: async ({ toolCalls }) => {
        asked.push(toolCalls);
        if (asked.length > 2)
          throw new WrongStackError('budget.unknown', 'the server has not answered for long');
        return {};
      },
    });
    const result = await agent.run('look');
    expect(asked).toEqual([0, 1, 2]);
    expect([result.status, result.error?.code]).toEqual(['failed', 'budget.unknown']);
    expect(
      test.metrics.samples().find(({ name }) => name === 'wrongstack_budget_stops_total')?.labels,
    ).toEqual({ scope: 'run', limit: 'unknown' });
    test.dispose();
  });
});
