import type { ActivityStore, ActivityTotal } from '@wrongstack/contracts/control';
import { usedIn, type Usage, usageIn, type Used } from './activity-totals.js';
import { stepsOf } from './overview.js';

/** Of which model and team alone. */
export interface UsageFilter {
  readonly model?: string;
  readonly team?: string;
}

export interface UsageOverTime extends Usage {
  readonly from: string;
  readonly to: string;
  /** Oldest first. */
  readonly series: readonly ({ readonly from: string } & Omit<Used, 'prompts'>)[];
}

/** What models used in the last hours. `at`: now, ISO 8601. Counted a step at a time, so that no answer of the store is large. */
export async function usageOverTime(
  activity: ActivityStore,
  hours: number,
  { model, team }: UsageFilter,
  at: string,
): Promise<UsageOverTime> {
  const bounds = stepsOf(hours, Date.parse(at)).map((ms) => new Date(ms).toISOString());
  const all: ActivityTotal[] = [];
  const series: UsageOverTime['series'][number][] = [];
  for (const [step, from] of bounds.slice(0, -1).entries()) {
    const totals = await activity.totals({ from, to: bounds[step + 1] ?? at }, [
      ...(['team', 'model'] as const),
      ...(['measure', 'detail'] as const),
    ]);
    const wanted = totals.filter(
      (one) => (model === undefined || one.model === model) && (team === undefined || one.team === team),
    );
    const { inputTokens, outputTokens, costUsd } = usedIn(wanted);
    series.push({ from, inputTokens, outputTokens, costUsd });
    all.push(...wanted);
  }
  return { from: bounds[0] ?? at, to: at, ...usageIn(all, all, all), series };
}
