import type { PolicyState } from '@wrongstack/contracts';
import type { Bundle, SignedTime } from '@wrongstack/contracts/wire';

/** A signed time this old still counts as news: shorter than any grace that means something, longer than a lunch break. */
export const FRESH_FOR_MS = 60 * 60_000;

const HOUR_MS = 3_600_000;

export interface StateFacts {
  /** The verified bundle that binds; null = never held one. */
  readonly bundle: Pick<Bundle, 'epoch' | 'revision' | 'scope' | 'issuedAt' | 'expiresAt'> | null;
  /** The newest verified signed time. */
  readonly time: SignedTime | null;
  /** Highest signed time seen in this epoch; null = none. */
  readonly highestTime: string | null;
  /** The clock, milliseconds since the epoch. */
  readonly clock: number;
  /** `staleGraceHours` of the merged locks. */
  readonly graceHours: number;
}

export interface StateReport {
  readonly state: Exclude<PolicyState, 'none'>;
  /** Seconds since the server last vouched for the bundle; null = never. */
  readonly ageSeconds: number | null;
  /** Seconds until it counts as expired, 0 afterwards; null = there is none. */
  readonly expiresInSeconds: number | null;
}

/** How current the bundle is, from what is at hand now. Nothing is remembered, so nothing latches. */
export function bundleState({ bundle, time, highestTime, clock, graceHours }: StateFacts): StateReport {
  if (bundle === null) return { state: 'undetermined', ageSeconds: null, expiresInSeconds: null };
  const now = laterOf(clock, highestTime);
  const vouched = vouchedAt(bundle, time);
  const end = Math.min(vouched + Math.max(0, graceHours) * HOUR_MS, Date.parse(bundle.expiresAt));
  const age = Math.max(0, now - vouched);
  return {
    state: now >= end ? 'expired' : age <= FRESH_FOR_MS ? 'fresh' : 'stale',
    ageSeconds: Math.floor(age / 1000),
    expiresInSeconds: Math.max(0, Math.floor((end - now) / 1000)),
  };
}

/** A clock that was set back does not bring a bundle back to life. */
export function laterOf(clock: number, highestTime: string | null): number {
  return highestTime === null ? clock : Math.max(clock, Date.parse(highestTime));
}

/** A signed time that names another revision says that there is a newer one, not that this one is current. */
function vouchedAt(bundle: NonNullable<StateFacts['bundle']>, time: SignedTime | null): number {
  const issued = Date.parse(bundle.issuedAt);
  if (time === null) return issued;
  const same =
    time.epoch === bundle.epoch && time.revision === bundle.revision && time.scope === bundle.scope;
  return same ? Math.max(issued, Date.parse(time.time)) : issued;
}
