import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type RunId } from '@wrongstack/contracts';
import type { RunOffer, RunQueue } from '@wrongstack/contracts/control';
import type { ConformanceCase } from './conformance-case.js';

export interface RunQueueHarness {
  readonly queue: RunQueue;
}

const offerOf = (run: RunId = newId('RunId'), attempt = 1): RunOffer => ({ run, attempt });

/** Work that goes on until it is told to end. */
class HeldRuns {
  readonly begun: RunOffer[] = [];
  readonly #ends = new Map<RunId, () => void>();

  readonly work = async (offer: RunOffer): Promise<void> => {
    this.begun.push(offer);
    await new Promise<void>((resolve) => this.#ends.set(offer.run, resolve));
  };

  async until(count: number): Promise<void> {
    for (let turn = 0; turn < 2_000 && this.begun.length < count; turn += 1) await sleep(10);
    assert.equal(this.begun.length, count);
  }

  end(run: RunId): void {
    this.#ends.get(run)?.();
  }

  endAll(): void {
    for (const end of this.#ends.values()) end();
  }
}

export const runQueueCases: readonly ConformanceCase<RunQueueHarness>[] = [
  {
    name: 'what waits is handed over as soon as somebody takes it, first come, first served',
    run: async ({ queue }) => {
      const offers = [offerOf(), offerOf(), offerOf()];
      for (const offer of offers) await queue.offer(offer);
      const held = new HeldRuns();
      queue.take(held.work, 10);
      await held.until(3);
      assert.deepEqual(held.begun, offers);
      held.endAll();
    },
  },
  {
    name: 'no more than so many are worked on at once, and the next comes when one has ended',
    run: async ({ queue }) => {
      const held = new HeldRuns();
      queue.take(held.work, 2);
      const offers = [offerOf(), offerOf(), offerOf()];
      for (const offer of offers) await queue.offer(offer);
      await held.until(2);
      await sleep(100);
      assert.equal(held.begun.length, 2);
      held.end(held.begun[0]?.run ?? newId('RunId'));
      await held.until(3);
      held.endAll();
    },
  },
  {
    name: 'the same offer again while it waits or is worked on is one, and a further attempt is another',
    run: async ({ queue }) => {
      const { run } = offerOf();
      await queue.offer(offerOf(run));
      await queue.offer(offerOf(run));
      const held = new HeldRuns();
      queue.take(held.work, 10);
      await held.until(1);
      await queue.offer(offerOf(run));
      await sleep(100);
      assert.deepEqual(held.begun, [offerOf(run)]);
      held.end(run);
      await queue.offer(offerOf(run, 2));
      await held.until(2);
      held.endAll();
    },
  },
  {
    name: 'an offer may be made again once its work has ended: whether there is still something to do is not for the queue to know',
    run: async ({ queue }) => {
      const offer = offerOf();
      const held = new HeldRuns();
      queue.take(held.work, 1);
      await queue.offer(offer);
      await held.until(1);
      held.end(offer.run);
      for (let turn = 0; turn < 2_000 && held.begun.length < 2; turn += 1) {
        await queue.offer(offer);
        await sleep(10);
      }
      assert.deepEqual(held.begun, [offer, offer]);
      held.endAll();
    },
  },
  {
    name: 'once it is paused nothing more is taken',
    run: async ({ queue }) => {
      const held = new HeldRuns();
      queue.take(held.work, 4);
      await queue.offer(offerOf());
      await held.until(1);
      await queue.pause();
      await queue.offer(offerOf());
      await sleep(200);
      assert.equal(held.begun.length, 1);
      held.endAll();
    },
  },
];
