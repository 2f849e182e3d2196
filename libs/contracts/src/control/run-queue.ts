import type { RunId } from '../ids.js';

/** One offer of a run: it is offered again, under another number, when it goes on after it was parked or handed back. */
export interface RunOffer {
  readonly run: RunId;
  /** From 1. */
  readonly attempt: number;
}

/** Works on a run until there is nothing more to do here. Never rejects. */
export type RunWork = (offer: RunOffer) => Promise<void>;

/**
 * Hands runs to processes that execute them, a few at a time each. It is only a hint: what a run is and who has it stands in the store,
 * so that an offer that is delivered twice does no harm, and one that is lost is made again.
 */
export abstract class RunQueue {
  /** Whether offers reach other processes. */
  abstract readonly driver: 'local' | 'redis';
  /** Again while it waits or is worked on: changes nothing. Throws `run.queue_unavailable`. */
  abstract offer(offer: RunOffer): Promise<void>;
  /** Begins to take runs in this process, at most so many at once. */
  abstract take(work: RunWork, atOnce: number): void;
  /** Takes nothing more. What is worked on is for the worker to end. */
  abstract pause(): Promise<void>;
  /** After what was worked on has ended. */
  abstract close(): Promise<void>;
}
