import type { Clock } from '@wrongstack/contracts';
import type { ControlStore } from '@wrongstack/contracts/control';

/** What every part of the control plane stands on. Made once, at start. */
export abstract class ControlPlane {
  abstract readonly store: ControlStore;
  abstract readonly clock: Clock;
  /** The organisation that this control plane rules. */
  abstract readonly organisation: string;
  /** Where people and agents reach it, without a slash at the end. */
  abstract readonly url: string;
}
