import type { ControlStore } from '@wrongstack/contracts/control';

/**
 * Whether this process does a recurring piece of work this time: of all replicas that ask within `ms`, one is told yes. Nobody gives it back,
 * so the work is done at most once in that time, and by another one if this process ends.
 */
export async function takeTurn(
  store: Pick<ControlStore, 'idempotency'>,
  name: string,
  now: number,
  ms: number,
): Promise<boolean> {
  const at = new Date(now).toISOString();
  const until = new Date(now + ms).toISOString();
  const key = { principal: 'control-plane', route: 'turn', key: name };
  const { outcome } = await store.idempotency.begin(key, name, { at, leaseUntil: until, expiresAt: until });
  return outcome === 'mine';
}
