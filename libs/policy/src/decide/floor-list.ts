import type { DecisionSource, FloorKind, FloorRecord, Verdict } from '@wrongstack/contracts';

/** The floors of one call, in the order in which they were found. */
export class FloorList {
  readonly records: FloorRecord[] = [];

  hard(verdict: Verdict, source: DecisionSource, reason: string): void {
    this.records.push({ kind: 'hard', verdict, source, reason, loweredBy: null });
  }

  /** A floor that asks for confirmation unless `loweredBy` says what lowered it. */
  confirm(
    kind: Exclude<FloorKind, 'hard'>,
    source: DecisionSource,
    reason: string,
    loweredBy: DecisionSource | null,
  ): void {
    this.records.push({ kind, verdict: 'confirm', source, reason, loweredBy });
  }
}
