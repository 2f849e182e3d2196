/** How often a shadow rule would have changed the verdict, counted an hour. */
export interface ShadowCount {
  readonly document: string;
  readonly revision: number;
  readonly rule: string;
  readonly team: string | null;
  readonly tool: string;
  /** Start of the hour, ISO 8601. */
  readonly hour: string;
  /** Calls that the rule matched. */
  readonly matched: number;
  /** Calls whose verdict would have been another one. */
  readonly diverged: number;
}

export interface ShadowFilter {
  readonly document: string;
  readonly revision?: number;
  readonly from?: string;
  readonly to?: string;
}

export abstract class ShadowStore {
  /** Adds to what is there. */
  abstract add(counts: readonly ShadowCount[]): Promise<void>;
  /** Summed over hours: by revision, rule, team and tool; the most divergent first. */
  abstract totals(filter: ShadowFilter): Promise<readonly Omit<ShadowCount, 'hour'>[]>;
}
