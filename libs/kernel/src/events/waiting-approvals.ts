import type { CallId, EventMap } from '@wrongstack/contracts';
import type { EventBus } from './event-bus.js';

/** What has changed about a request since it was announced. */
export type WaitingChange = Pick<EventMap['approval.waiting'], 'approval' | 'need' | 'have' | 'expiresAt'>;

/**
 * Announces a call that waits for other people once more, with each yes. Whoever asks them knows only the call; where it comes from was
 * announced before. One for each bus.
 */
export class WaitingApprovals {
  readonly #waiting = new Map<CallId, EventMap['approval.waiting']>();

  constructor(private readonly events: EventBus) {
    events.on('approval.waiting', (event) => void this.#waiting.set(event.call, event));
    events.on('approval.resolved', ({ call }) => void this.#waiting.delete(call));
    events.on('tool.parked', ({ call }) => void this.#waiting.delete(call));
  }

  announce(call: CallId, change: WaitingChange): void {
    const event = this.#waiting.get(call);
    if (event !== undefined) this.events.emit('approval.waiting', { ...event, ...change });
  }
}
