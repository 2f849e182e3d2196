import type { IconName } from '../parts/icon.js';
import type { May } from '../session/use-session.js';

/** A place in the navigation. */
export interface Destination {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** Who gets to see it. */
  readonly allowed: (may: May) => boolean;
}
