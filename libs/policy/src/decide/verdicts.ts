import type {
  ApproversNeeded,
  DecisionSource,
  FloorRecord,
  Obligation,
  RuleMatch,
  Verdict,
} from '@wrongstack/contracts';

/** What `decide` concludes. The engine adds ids, digests and the trust offer to make a `Decision` of it. */
export interface Verdicts {
  /** After the channel: what happens now. */
  readonly verdict: Verdict;
  /** Before the channel: what the floors ask for. */
  readonly demanded: Verdict;
  /** What determined it. For `allow`: what lowered the strictest floor, or the tool. */
  readonly by: DecisionSource;
  readonly because: string;
  readonly instead: string | null;
  readonly floors: readonly FloorRecord[];
  readonly matches: readonly RuleMatch[];
  readonly obligations: readonly Obligation[];
  readonly approvers: ApproversNeeded | null;
}
