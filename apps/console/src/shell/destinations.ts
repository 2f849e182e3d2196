import type { IconName } from '../parts/icon.js';
import type { May } from '../session/use-session.js';

/** A place, and whether the navigation leads there. */
export interface Destination {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** False: only links from elsewhere lead there. */
  readonly listed?: false;
  /** Who gets to see it. */
  readonly allowed: (may: May) => boolean;
}
