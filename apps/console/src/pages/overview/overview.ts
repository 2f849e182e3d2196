import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

export type Overview = operations['overviewOverview']['responses'][200]['content']['application/json'];

/** How far a look goes back. */
export const SPANS = [
  { value: '24', label: '24 hours', words: 'the last 24 hours' },
  { value: '168', label: '7 days', words: 'the last 7 days' },
  { value: '720', label: '30 days', words: 'the last 30 days' },
] as const;
export type Span = (typeof SPANS)[number];

/** What an address names wrongly is the shortest. */
export function spanOf(value: string | undefined): Span {
  return SPANS.find((span) => span.value === value) ?? SPANS[0];
}

export async function overview({ value }: Span, signal: AbortSignal): Promise<Overview> {
  return body(api.GET('/v1/overview', { params: { query: { hours: Number(value) } }, signal }));
}

/** Nobody has connected a machine, and nothing happened. */
export function isFresh({ calls, fleet, prompts, usage }: Overview): boolean {
  return calls.total + fleet.machines + prompts.asked + usage.inputTokens + usage.outputTokens === 0;
}

export type UsageOverTime = operations['overviewUsage']['responses'][200]['content']['application/json'];

/** What usage can be narrowed down to. */
export const NARROWING = ['model', 'team'] as const;
export const USAGE_FILTERS = ['hours', ...NARROWING] as const;
export type UsageFilter = Partial<Readonly<Record<(typeof NARROWING)[number], string>>>;

export async function usage(
  { value }: Span,
  filter: UsageFilter,
  signal: AbortSignal,
): Promise<UsageOverTime> {
  const query = { hours: Number(value), ...filter };
  return body(api.GET('/v1/overview/usage', { params: { query }, signal }));
}
