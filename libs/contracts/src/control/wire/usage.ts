import type { JSONSchema } from '../../json-schema.js';
import { closed, list, open, orNull, text, time, whole } from './schema-parts.js';

export const MOST_REPORTED_COUNTERS = 2_000;
export const MOST_REPORTED_HISTOGRAMS = 500;

/** What one counter of a command line grew by. */
export interface ReportedCounter {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What one histogram grew by; `counts` are those of each bucket, not added up. */
export interface ReportedHistogram {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** `POST /v1/metrics/deltas`, under an Idempotency-Key: what it says is counted once. */
export interface MetricsReport {
  /** UTC, `2026-12-01`: when it was used up. Missing = today. */
  readonly day?: string;
  readonly counters: readonly ReportedCounter[];
  readonly histograms?: readonly ReportedHistogram[];
}

export interface UsedUp {
  /** In and out, cached ones included. */
  readonly tokens: number;
  readonly costUsd: number;
  readonly toolCalls: number;
}

/** What somebody used up so far, over all their machines. */
export interface HolderUsage {
  readonly name: string;
  /** Of the UTC day and the UTC month of `at`. */
  readonly day: UsedUp;
  readonly month: UsedUp;
}

/** `GET /v1/usage/mine`: of whoever the token names, and of their team. */
export interface UsageAnswer {
  /** By the server's clock. */
  readonly at: string;
  readonly user: HolderUsage;
  readonly team: HolderUsage | null;
}

/** What a report says that its machine used up, in the words of a budget. */
export function usedUpIn({ counters }: Pick<MetricsReport, 'counters'>): UsedUp {
  const sum = (metric: string): number =>
    counters.reduce((total, { name, value }) => (name === metric ? total + value : total), 0);
  return {
    tokens: sum('wrongstack_model_tokens_total'),
    costUsd: sum('wrongstack_model_cost_dollars_total'),
    toolCalls: sum('wrongstack_tool_calls_total'),
  };
}

const DAY: JSONSchema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };
const LABELS: JSONSchema = { type: 'object', maxProperties: 8, additionalProperties: text(200, 0) };
const amount = (minimum: number, maximum = 1e15): JSONSchema => ({ type: 'number', minimum, maximum });
/** More than one machine does in years, and so little that sums of many reports stay exact. */
const MOST_GROWTH = 1e12;
const COUNTER = closed({ name: text(100), labels: LABELS, value: amount(0, MOST_GROWTH) });
const HISTOGRAM = closed({
  name: text(100),
  labels: LABELS,
  counts: list(whole(0, MOST_GROWTH), 50),
  sum: amount(-MOST_GROWTH, MOST_GROWTH),
  count: whole(0, MOST_GROWTH),
});

export const metricsReportSchema = closed(
  { counters: list(COUNTER, MOST_REPORTED_COUNTERS) },
  { day: DAY, histograms: list(HISTOGRAM, MOST_REPORTED_HISTOGRAMS) },
);

const USED = open({ tokens: amount(0), costUsd: amount(0), toolCalls: amount(0) });
const HOLDER = open({ name: text(512), day: USED, month: USED });

export const usageAnswerSchema = open({ at: time, user: HOLDER, team: orNull(HOLDER) });
