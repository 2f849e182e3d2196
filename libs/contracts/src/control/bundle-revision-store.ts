import type { BundleRevision } from './policy-records.js';

/** The organisation's bundle revision: raised in the transaction of what it publishes. */
export abstract class BundleRevisionStore {
  /** (0, 0) before the first publication. */
  abstract current(): Promise<BundleRevision>;
  /**
   * One above the current revision, and not below `atLeast` where that is given. Locks the counter until the transaction ends,
   * so that revisions are committed in order.
   */
  abstract raise(atLeast?: number): Promise<BundleRevision>;
  /** A new key epoch. Lower than the current: `store.conflict`. */
  abstract setEpoch(epoch: number): Promise<BundleRevision>;
  /**
   * After a restore: raises revision and epoch above whatever the fleet has reported (`FleetStore.highestReported`) and above
   * `seen` (what an operator knows from a client or a log). Unchanged where nothing higher was reported.
   */
  abstract recover(seen: BundleRevision | null): Promise<{
    readonly before: BundleRevision;
    readonly reported: BundleRevision | null;
    readonly after: BundleRevision;
  }>;
}
