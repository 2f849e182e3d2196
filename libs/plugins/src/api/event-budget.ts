import type { Clock } from '@wrongstack/contracts';
import { PluginError } from '../loader/plugin-error.js';

/** Delivery is synchronous, so a plugin that never stops emitting would hold everybody up. */
export const MOST_EVENTS_A_SECOND = 10_000;

/** Counts one plugin's custom events; throws `plugin.event_flood` for those beyond the budget of a second. */
export function createEventBudget(plugin: string, clock: Clock): () => void {
  let second = -1;
  let count = 0;
  return () => {
    const now = Math.floor(clock.now() / 1_000);
    if (now !== second) {
      second = now;
      count = 0;
    }
    count += 1;
    if (count > MOST_EVENTS_A_SECOND) {
      throw new PluginError(
        'plugin.event_flood',
        plugin,
        `emits more than ${String(MOST_EVENTS_A_SECOND)} events a second; the rest is dropped`,
      );
    }
  };
}
