import type { UsedUp } from './wire/usage.js';

/** Whose budget something counts for. */
export interface UsageHolder {
  readonly kind: 'user' | 'team';
  readonly name: string;
}

export interface ReportedUse {
  /** Who reports it, and under which key: the same again is nothing new. */
  readonly principal: string;
  readonly key: string;
  readonly at: string;
  readonly holders: readonly UsageHolder[];
  /** UTC, `2026-12-01`. */
  readonly day: string;
  readonly used: UsedUp;
}

/** What people and teams used up, by day. */
export abstract class UsageStore {
  /** Adds to each holder's day. False, and nothing added, where that principal's key is known. */
  abstract add(report: ReportedUse): Promise<boolean>;
  /** Of one holder over the days from `from` to `through`, both included. */
  abstract of(holder: UsageHolder, from: string, through: string): Promise<UsedUp>;
  /** All of a kind over those days, most tokens first. */
  abstract list(
    kind: UsageHolder['kind'],
    from: string,
    through: string,
    limit: number,
  ): Promise<readonly (UsedUp & { readonly name: string })[]>;
  /** Forgets keys that were given before `keysBefore`, and days before `daysBefore`. */
  abstract prune(keysBefore: string, daysBefore: string): Promise<void>;
}
