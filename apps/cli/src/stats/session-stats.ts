import type { BuiltInSessionEntry, ModelPrice, SessionEntry, Usage } from '@wrongstack/contracts';
import { NO_USAGE } from '@wrongstack/contracts';
import { costOf, isBuiltInEntry } from '@wrongstack/kernel';

export interface ToolStats {
  readonly tool: string;
  readonly calls: number;
  readonly denied: number;
  readonly failed: number;
  /** Milliseconds that it ran, all calls together. */
  readonly durationMs: number;
}

export interface ModelStats {
  readonly model: string;
  readonly answers: number;
  readonly usage: Usage;
  /** US dollars; null where the configuration has no price for it. */
  readonly costUsd: number | null;
}

export interface DayStats {
  /** `2026-11-30`, in UTC as the log has it. */
  readonly day: string;
  readonly calls: number;
  readonly tokens: number;
}

export interface Stats {
  readonly sessions: number;
  readonly runs: number;
  readonly calls: number;
  readonly denied: number;
  readonly durationMs: number;
  readonly tokens: number;
  /** Sum of the models that have a price; null where none has. */
  readonly costUsd: number | null;
  /** Most calls first. */
  readonly tools: readonly ToolStats[];
  /** Most tokens first. */
  readonly models: readonly ModelStats[];
  /** Oldest first, days without anything included. */
  readonly days: readonly DayStats[];
}

const DAY_MS = 86_400_000;

/** Adds up session logs, entry by entry, so that one of 20 MB takes no memory. */
export class StatsCollector {
  #sessions = 0;
  #runs = 0;
  readonly #tools = new Map<string, { -readonly [Key in keyof ToolStats]: ToolStats[Key] }>();
  readonly #models = new Map<string, { answers: number; usage: Usage; costUsd: number | null }>();
  readonly #days = new Map<string, { calls: number; tokens: number }>();

  constructor(private readonly prices: Readonly<Record<string, ModelPrice>>) {}

  /** `since`: ISO 8601; what is older is left out, entry by entry. */
  async add(entries: AsyncIterable<SessionEntry>, since: string, isSubagent: boolean): Promise<void> {
    let counted = false;
    let asked = '';
    for await (const given of entries) {
      if (!isBuiltInEntry(given.type)) continue;
      // The type belongs to the kernel, which alone writes such entries.
      const entry = given as BuiltInSessionEntry;
      if (entry.type === 'session_start') asked = entry.model;
      if (entry.ts < since) continue;
      this.#count(entry, isSubagent, asked);
      counted ||= entry.type === 'run_start';
    }
    if (counted && !isSubagent) this.#sessions += 1;
  }

  /** `days`: how many before `now` to list, that of `now` included. */
  stats(now: number, days: number): Stats {
    const tools = [...this.#tools.values()].sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
    const models = [...this.#models]
      .map(([model, used]) => ({ model, ...used }))
      .sort((a, b) => tokensOf(b.usage) - tokensOf(a.usage));
    const priced = models.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
    return {
      sessions: this.#sessions,
      runs: this.#runs,
      calls: sum(tools.map(({ calls }) => calls)),
      denied: sum(tools.map(({ denied }) => denied)),
      durationMs: sum(tools.map(({ durationMs }) => durationMs)),
      tokens: sum(models.map(({ usage }) => tokensOf(usage))),
      costUsd: priced.length === 0 ? null : sum(priced),
      tools,
      models,
      days: Array.from({ length: days }, (_, index) => {
        const day = new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
        return { day, ...(this.#days.get(day) ?? { calls: 0, tokens: 0 }) };
      }),
    };
  }

  /** `asked`: the model that the session was started with, under whose name the price may be. */
  #count(entry: BuiltInSessionEntry, isSubagent: boolean, asked: string): void {
    switch (entry.type) {
      case 'run_start':
        if (!isSubagent) this.#runs += 1;
        return;
      case 'assistant_message':
        return this.#addUsage(entry, asked, 1);
      case 'aside':
        return this.#addUsage(entry, asked, 0);
      case 'tool_result':
        return this.#addCall(entry);
      case 'session_start':
      case 'user_input':
      case 'inject':
      case 'tool_use':
      case 'tool_started':
      case 'subagent':
      case 'decision':
      case 'file_snapshot':
      case 'compaction':
      case 'mode':
      case 'repair':
      case 'run_end':
        return;
    }
  }

  #addCall({ name, status, durationMs, ts }: Extract<BuiltInSessionEntry, { type: 'tool_result' }>): void {
    const of = this.#tools.get(name) ?? { tool: name, calls: 0, denied: 0, failed: 0, durationMs: 0 };
    this.#tools.set(name, of);
    of.calls += 1;
    if (status === 'denied' || status === 'parked') of.denied += 1;
    else if (status !== 'ok') of.failed += 1;
    of.durationMs += durationMs;
    this.#dayOf(ts).calls += 1;
  }

  #addUsage({ model, usage, ts }: Answered, asked: string, answers: number): void {
    const of = this.#models.get(model) ?? { answers: 0, usage: NO_USAGE, costUsd: null };
    const cost = this.#cost([model, asked], usage);
    this.#models.set(model, {
      answers: of.answers + answers,
      usage: added(of.usage, usage),
      costUsd: cost === null ? of.costUsd : (of.costUsd ?? 0) + cost,
    });
    this.#dayOf(ts).tokens += tokensOf(usage);
  }

  #dayOf(ts: string): { calls: number; tokens: number } {
    const day = ts.slice(0, 10);
    const of = this.#days.get(day) ?? { calls: 0, tokens: 0 };
    this.#days.set(day, of);
    return of;
  }

  #cost(models: readonly string[], usage: Usage): number | null {
    const name = models.find((model) => Object.hasOwn(this.prices, model));
    const price = name === undefined ? undefined : this.prices[name];
    return price === undefined ? null : costOf(usage, price);
  }
}

type Answered = Pick<Extract<BuiltInSessionEntry, { type: 'assistant_message' }>, 'model' | 'usage' | 'ts'>;

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function added(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
