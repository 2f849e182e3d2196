import type { ApprovalChannel } from '@wrongstack/contracts';

const tails = new WeakMap<ApprovalChannel, Promise<void>>();

/**
 * One question at a time on each channel: calls of one turn may be decided together, but a person answers them one by one,
 * and an answer must never land on the wrong question. The work gets its turn in order of asking.
 */
export async function inTurn<T>(channel: ApprovalChannel, work: () => Promise<T>): Promise<T> {
  const before = tails.get(channel) ?? Promise.resolve();
  let done = (): void => undefined;
  const mine = new Promise<void>((resolve) => (done = resolve));
  tails.set(
    channel,
    before.then(() => mine),
  );
  await before;
  try {
    return await work();
  } finally {
    done();
  }
}
