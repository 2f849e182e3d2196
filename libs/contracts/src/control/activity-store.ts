/** What command lines say that happened on them, counted an hour: for charts. Budgets are kept by day and person, in UsageStore. */
export const ACTIVITY_MEASURES = ['prompts', 'answers', 'tokens', 'costMicros'] as const;
export type ActivityMeasure = (typeof ACTIVITY_MEASURES)[number];

export interface ActivityCount {
  /** Start of the hour in which it was reported, ISO 8601. */
  readonly hour: string;
  readonly team: string | null;
  readonly measure: ActivityMeasure;
  /** Of answers how, of tokens which kind; empty for the others. */
  readonly detail: string;
  /** Of tokens and cost; null for the others. */
  readonly model: string | null;
  /** A whole number; cost in millionths of a dollar. */
  readonly amount: number;
}

export type ActivityGroup = 'hour' | 'team' | 'measure' | 'detail' | 'model';

/** One value a group that was asked for. */
export interface ActivityTotal extends Partial<Pick<ActivityCount, ActivityGroup>> {
  readonly amount: number;
}

export abstract class ActivityStore {
  /** Adds to what is there. */
  abstract add(counts: readonly ActivityCount[]): Promise<void>;
  /** Sums of the hours from `from` (inclusive) to `to` (exclusive), in no order. */
  abstract totals(
    window: { readonly from: string; readonly to: string },
    by: readonly ActivityGroup[],
  ): Promise<readonly ActivityTotal[]>;
}
