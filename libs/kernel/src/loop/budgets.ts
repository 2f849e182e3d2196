import type { AgentSettings, ModelPrice, Usage } from '@wrongstack/contracts';
import { NO_USAGE } from '@wrongstack/contracts';
import { addUsage } from '../session/replay-session.js';
import {
  type RunSpent,
  type SharedLimit,
  sharedExceeded,
  sharedNear,
  usedNow,
  WARN_SHARE,
} from './shared-limit.js';

type Kind = 'cost' | 'tokens' | 'tool_calls';

export interface Limit {
  readonly code:
    'agent.iterations' | `agent.${Kind}` | `budget.${'user' | 'team'}_${Kind}` | 'budget.no_price';
  readonly message: string;
  readonly hint: string;
}

/** Four fifths of it are used up. */
export interface NearLimit {
  readonly code: `agent.${Kind}_near` | `budget.${'user' | 'team'}_${Kind}_near`;
  readonly message: string;
  readonly hint: string;
}

/** What one run may use up at most. */
export interface RunBudget extends Pick<AgentSettings, 'maxIterations' | 'maxToolCalls' | 'maxCostUsd'> {
  /** In and out, cached ones included, over all turns. */
  readonly maxTokens?: number;
}

/** What policies allow: one run for itself, all of them together, and what it shares with others. */
export interface PolicyBudget extends Partial<Pick<RunBudget, 'maxToolCalls' | 'maxCostUsd' | 'maxTokens'>> {
  readonly shared?: readonly SharedLimit[];
}

const NOTHING: RunSpent = { tokens: 0, costUsd: 0, toolCalls: 0 };

/** What a run has used up, and whether it may go on. */
export class Budgets {
  #usage: Usage = NO_USAGE;
  #cost: number | null = null;
  #calls = 0;
  #turns = 0;
  /** What this run had used up when the shared limits were looked at. */
  #then: RunSpent = NOTHING;

  readonly #warned = new Set<string>();
  private allowed: PolicyBudget = {};
  private settings: RunBudget;

  constructor(
    private readonly own: RunBudget,
    private readonly prices: Readonly<Record<string, ModelPrice>>,
    /** The model that is asked for; a policy that limits cost wants its price to be known. */
    private readonly model: string | null = null,
  ) {
    this.settings = own;
  }

  /** What policies allow now: it only tightens what is configured, and says so when it stops. */
  tighten(allowed: PolicyBudget): void {
    this.allowed = allowed;
    this.#then = this.spent;
    this.settings = tightest(this.own, allowed);
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

  get spent(): RunSpent {
    return { tokens: tokensOf(this.#usage), costUsd: this.#cost ?? 0, toolCalls: this.#calls };
  }

  get callsLeft(): number {
    return Math.min((this.settings.maxToolCalls ?? Infinity) - this.#calls, this.#sharedLeft('tool_calls'));
  }

  /** US dollars; infinite where no limit is set. */
  get costLeft(): number {
    return Math.min((this.settings.maxCostUsd ?? Infinity) - (this.#cost ?? 0), this.#sharedLeft('cost'));
  }

  get tokensLeft(): number {
    return Math.min(this.#ownTokensLeft, this.#sharedLeft('tokens'));
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
  near(): readonly NearLimit[] {
    const { maxToolCalls, maxCostUsd, maxTokens } = this.settings;
    const { costUsd, toolCalls, tokens } = this.spent;
    const hint = 'the run stops when it is used up';
    const ofRun = [
      ['tool_calls', toolCalls, maxToolCalls, `${toolCalls} of ${maxToolCalls} tool calls are used up`],
      ['cost', costUsd, maxCostUsd, `$${costUsd.toFixed(2)} of $${maxCostUsd?.toFixed(2)} are used up`],
      ['tokens', tokens, maxTokens, `${tokens} of ${maxTokens} tokens are used up`],
    ] as const;
    return [
      ...ofRun.flatMap(([kind, used, most, message]) =>
        most === undefined || used < most * WARN_SHARE
          ? []
          : [{ key: kind, code: `agent.${kind}_near` as const, message, hint }],
      ),
      ...this.#shared().flatMap(({ limit, used }) => {
        const near = sharedNear(limit, used);
        return near === null ? [] : [{ key: `${limit.scope} ${limit.per} ${limit.limit}`, ...near }];
      }),
    ].flatMap(({ key, ...near }) => {
      if (this.#warned.has(key)) return [];
      this.#warned.add(key);
      return [near];
    });
  }

  /** Asked before each model request. */
  exceeded(): Limit | null {
    const { maxIterations, maxToolCalls, maxCostUsd } = this.settings;
    if (this.#turns >= maxIterations) {
      return ownLimit(
        'agent.iterations',
        `stopped after ${maxIterations} model turns; raise agent.maxIterations to go on`,
      );
    }
    if (maxToolCalls !== undefined && this.#calls >= maxToolCalls) {
      return ownLimit(
        'agent.tool_calls',
        this.allowed.maxToolCalls === maxToolCalls
          ? `stopped after ${maxToolCalls} tool calls, what the policy allows one run`
          : `stopped after ${maxToolCalls} tool calls; raise agent.maxToolCalls to go on`,
      );
    }
    if (this.#ownTokensLeft <= 0) {
      return ownLimit('agent.tokens', `stopped after ${tokensOf(this.#usage)} tokens, its budget`);
    }
    if (maxCostUsd !== undefined && this.#cost !== null && this.#cost >= maxCostUsd) {
      const end =
        this.allowed.maxCostUsd === maxCostUsd
          ? ', what the policy allows one run'
          : '; raise agent.maxCostUsd to go on';
      return ownLimit('agent.cost', `stopped at $${this.#cost.toFixed(2)}${end}`);
    }
    for (const { limit, used } of this.#shared()) {
      const exceeded = sharedExceeded(limit, used);
      if (exceeded !== null) return exceeded;
    }
    return this.#unpriced();
  }

  /** Shares of the limits of policies that are used up; of several periods the largest. */
  ratios(): readonly { readonly scope: string; readonly limit: Kind; readonly ratio: number }[] {
    const { maxTokens, maxCostUsd, maxToolCalls } = this.allowed;
    const { tokens, costUsd, toolCalls } = this.spent;
    const found = new Map<string, { scope: string; limit: Kind; ratio: number }>();
    const note = (scope: string, limit: Kind, used: number, most: number | undefined): void => {
      if (most === undefined) return;
      const ratio = Math.max(used / most, found.get(`${scope} ${limit}`)?.ratio ?? 0);
      found.set(`${scope} ${limit}`, { scope, limit, ratio });
    };
    note('run', 'tokens', tokens, maxTokens);
    note('run', 'cost', costUsd, maxCostUsd);
    note('run', 'tool_calls', toolCalls, maxToolCalls);
    for (const { limit, used } of this.#shared()) note(limit.scope, limit.limit, used, limit.most);
    return [...found.values()];
  }

  get #ownTokensLeft(): number {
    return (this.settings.maxTokens ?? Infinity) - tokensOf(this.#usage);
  }

  #shared(): readonly { readonly limit: SharedLimit; readonly used: number }[] {
    const now = this.spent;
    const since: RunSpent = {
      tokens: now.tokens - this.#then.tokens,
      costUsd: now.costUsd - this.#then.costUsd,
      toolCalls: now.toolCalls - this.#then.toolCalls,
    };
    return (this.allowed.shared ?? []).map((limit) => ({ limit, used: usedNow(limit, since) }));
  }

  #sharedLeft(kind: Kind): number {
    const left = this.#shared().flatMap(({ limit, used }) =>
      limit.limit === kind ? [limit.most - used] : [],
    );
    return Math.min(Infinity, ...left);
  }

  /** What cannot be measured cannot be held to a limit: nothing is spent then. */
  #unpriced(): Limit | null {
    const { maxCostUsd, shared = [] } = this.allowed;
    const limitsCost = maxCostUsd !== undefined || shared.some(({ limit }) => limit === 'cost');
    if (!limitsCost || this.model === null || Object.hasOwn(this.prices, this.model)) return null;
    return {
      code: 'budget.no_price',
      message: `the policy limits cost, and the configuration has no price for ${this.model}`,
      hint: `add prices.${this.model} to the configuration (wstack config path)`,
    };
  }
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

function ownLimit(code: Limit['code'], message: string): Limit {
  return { code, message, hint: 'raise it with wstack config set, then wstack run --resume' };
}
