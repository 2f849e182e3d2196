import type { PolicyState } from '@wrongstack/contracts';
import type { MergedLocks } from '../rules/merged-locks.js';

/** How current the central policy is. Asked for each call, so that no state ever latches. */
export abstract class PolicyStateSource {
  /** Asked after the documents were loaded; `locks` are those in force, which say for how long a policy may go unconfirmed. */
  abstract current(locks: Pick<MergedLocks, 'staleGraceHours'>): PolicyState;

  /** No more decisions can be kept for the server: dangerous calls are denied until some were taken. */
  async spoolIsFull(): Promise<boolean> {
    return false;
  }
}

/** A machine that was never enrolled has no central policy. */
export class NotEnrolled extends PolicyStateSource {
  override current(): PolicyState {
    return 'none';
  }
}
