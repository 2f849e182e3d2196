import type { PolicyState } from '@wrongstack/contracts';

/** How current the central policy is. Asked for each call, so that no state ever latches. */
export abstract class PolicyStateSource {
  abstract current(): PolicyState;
}

/** A machine that was never enrolled has no central policy. */
export class NotEnrolled extends PolicyStateSource {
  override current(): PolicyState {
    return 'none';
  }
}
