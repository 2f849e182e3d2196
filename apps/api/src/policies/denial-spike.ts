import type { Settings } from '../identity/settings.js';

/** Decisions of some people in some time. */
export interface DecisionTally {
  readonly decided: number;
  readonly denied: number;
}

/** With fewer decisions, a share says nothing. */
const TELLING = 20;

/**
 * Why a rollout must stop, or null. The share of denials of those who have the staged revision has risen by more than `percent` points above
 * that of those who have the revision before (the same people earlier, and the others now), and by at least `atLeast` denials. The higher of
 * the two counts: what rose for everybody is not the revision's doing.
 */
export function denialSpike(
  staged: DecisionTally,
  before: readonly DecisionTally[],
  { percent, atLeast }: NonNullable<Settings['haltOnDenials']>,
): string | null {
  const base = Math.max(0, ...before.filter(({ decided }) => decided >= TELLING).map(shareOf));
  const share = shareOf(staged);
  const more = staged.denied - base * staged.decided;
  // Whole denials: floating point must not be the reason why twenty are not twenty.
  if ((share - base) * 100 <= percent || Math.round(more * 1000) / 1000 < atLeast) return null;
  return `denials rose from ${percentOf(base)} to ${percentOf(share)} (${staged.denied} of ${staged.decided} decisions)`;
}

function shareOf({ decided, denied }: DecisionTally): number {
  return decided === 0 ? 0 : denied / decided;
}

function percentOf(share: number): string {
  return `${Math.round(share * 100)}%`;
}
