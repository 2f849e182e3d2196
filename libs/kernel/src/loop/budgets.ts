import type { AgentSettings, ModelPrice, Usage } from '@wrongstack/contracts';
import { NO_USAGE } from '@wrongstack/contracts';
import { addUsage } from '../session/replay-session.js';

export interface Limit {
  readonly code: 'agent.iterations' | 'agent.tool_calls' | 'agent.cost' | 'agent.tokens';
  readonly message: string;
}

/** What one run may use up at most. */
export interface RunBudget extends Pick<AgentSettings, 'maxIterations' | 'maxToolCalls' | 'maxCostUsd'> {
  /** In and out, cached ones included, over all turns. */
  readonly maxTokens?: number;
}

/** What a run has used up, and whether it may go on. */
export class Budgets {
  #usage: Usage = NO_USAGE;
  #cost: number | null = null;
  #calls = 0;
  #turns = 0;

  readonly #warned = new Set<string>();
  private allowed: PolicyBudget = {};

  constructor(
    private settings: RunBudget,
    private readonly prices: Readonly<Record<string, ModelPrice>>,
  ) {}

  /** What policies allow one run: it only tightens, and says so when it stops. */
  tighten(allowed: PolicyBudget): void {
    this.allowed = allowed;
    this.settings = tightest(this.settings, allowed);
  }

  get usage(): Usage {
    return this.#usage;
  }

  get turns(): number {
    return this.#turns;
  }

  /** US dollars; null while no price is known for what was used. */
  get costUsd(): number | null {
    return this.#cost;
  }

  get callsLeft(): number {
    return (this.settings.maxToolCalls ?? Infinity) - this.#calls;
  }

  /** US dollars; infinite where no limit is set. */
  get costLeft(): number {
    return (this.settings.maxCostUsd ?? Infinity) - (this.#cost ?? 0);
  }

  get tokensLeft(): number {
    return (this.settings.maxTokens ?? Infinity) - tokensOf(this.#usage);
  }

  addTurn(usage: Usage, models: readonly string[]): number | null {
    this.#turns += 1;
    return this.addUsage(usage, models);
  }

  /** `models`: names under which a price may be listed, the most exact first. What it cost in US dollars; null without a price. */
  addUsage(usage: Usage, models: readonly string[]): number | null {
    this.#usage = addUsage(this.#usage, usage);
    const name = models.find((model) => Object.hasOwn(this.prices, model));
    const price = name === undefined ? undefined : this.prices[name];
    if (price === undefined) return null;
    const cost = costOf(usage, price);
    this.#cost = (this.#cost ?? 0) + cost;
    return cost;
  }

  /** What a subagent used up on this run's behalf. */
  addSpent(spent: { readonly usage: Usage; readonly costUsd: number | null; readonly calls: number }): void {
    this.#usage = addUsage(this.#usage, spent.usage);
    if (spent.costUsd !== null) this.#cost = (this.#cost ?? 0) + spent.costUsd;
    this.#calls += spent.calls;
  }

  addCalls(count: number): void {
    this.#calls += count;
  }

  /** Limits of which four fifths are used up, each once. Asked before each model request. */
  near(): readonly { readonly code: `${Limit['code']}_near`; readonly message: string }[] {
    const { maxToolCalls, maxCostUsd, maxTokens } = this.settings;
    const cost = this.#cost ?? 0;
    const limits = [
      [
        'agent.tool_calls_near',
        this.#calls,
        maxToolCalls,
        `${this.#calls} of ${maxToolCalls} tool calls are used up`,
      ],
      ['agent.cost_near', cost, maxCostUsd, `$${cost.toFixed(2)} of $${maxCostUsd?.toFixed(2)} are used up`],
      [
        'agent.tokens_near',
        tokensOf(this.#usage),
        maxTokens,
        `${tokensOf(this.#usage)} of ${maxTokens} tokens are used up`,
      ],
    ] as const;
    return limits.flatMap(([code, used, most, message]) => {
      if (most === undefined || used < most * WARN_SHARE || this.#warned.has(code)) return [];
      this.#warned.add(code);
      return [{ code, message }];
    });
  }

  /** Asked before each model request. */
  exceeded(): Limit | null {
    const { maxIterations, maxToolCalls, maxCostUsd } = this.settings;
    if (this.#turns >= maxIterations) {
      return limit(
        'agent.iterations',
        `stopped after ${maxIterations} model turns; raise agent.maxIterations to go on`,
      );
    }
    if (maxToolCalls !== undefined && this.#calls >= maxToolCalls) {
      return limit(
        'agent.tool_calls',
        this.allowed.maxToolCalls === maxToolCalls
          ? `stopped after ${maxToolCalls} tool calls, what the policy allows one run`
          : `stopped after ${maxToolCalls} tool calls; raise agent.maxToolCalls to go on`,
      );
    }
    if (this.tokensLeft <= 0) {
      return limit('agent.tokens', `stopped after ${tokensOf(this.#usage)} tokens, its budget`);
    }
    if (maxCostUsd !== undefined && this.#cost !== null && this.#cost >= maxCostUsd) {
      const end =
        this.allowed.maxCostUsd === maxCostUsd
          ? ', what the policy allows one run'
          : '; raise agent.maxCostUsd to go on';
      return limit('agent.cost', `stopped at $${this.#cost.toFixed(2)}${end}`);
    }
    return null;
  }
}

const WARN_SHARE = 0.8;

/** What policies allow one run, all of them together. */
export type PolicyBudget = Partial<Pick<RunBudget, 'maxToolCalls' | 'maxCostUsd' | 'maxTokens'>>;

/** What each of several policies allows one run. */
export interface AllowedSpending {
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly toolCalls?: number;
}

/** All of them must hold, so the least of each counts. */
export function leastBudget(allowed: readonly AllowedSpending[]): PolicyBudget {
  const least = (key: keyof AllowedSpending): number | undefined => {
    const all = allowed.flatMap((budget) => budget[key] ?? []);
    return all.length === 0 ? undefined : Math.min(...all);
  };
  return { maxTokens: least('tokens'), maxCostUsd: least('costUsd'), maxToolCalls: least('toolCalls') };
}

/** The tighter of two budgets, key by key. */
export function tightest(a: RunBudget, b: Partial<RunBudget>): RunBudget {
  const least = (key: keyof RunBudget): number => Math.min(a[key] ?? Infinity, b[key] ?? Infinity);
  return {
    maxIterations: least('maxIterations'),
    maxToolCalls: least('maxToolCalls'),
    maxCostUsd: least('maxCostUsd'),
    maxTokens: least('maxTokens'),
  };
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** US dollars. */
export function costOf(usage: Usage, price: ModelPrice): number {
  const cached = usage.cacheReadTokens * (price.cacheRead ?? price.input);
  const written = usage.cacheWriteTokens * (price.cacheWrite ?? price.input);
  return (usage.inputTokens * price.input + usage.outputTokens * price.output + cached + written) / 1_000_000;
}

function limit(code: Limit['code'], message: string): Limit {
  return { code, message };
}
