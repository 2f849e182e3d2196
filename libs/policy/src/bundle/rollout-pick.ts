import { createHash } from 'node:crypto';

export interface Rollout {
  /** Empty = every team. */
  readonly teams: readonly string[];
  /** 0 to 100, of those whom `teams` lets in. */
  readonly percent: number;
  /** Another salt picks other people. */
  readonly salt: string;
}

/**
 * Whether somebody gets a staged revision. The same people at every question and on every replica, and whoever is in at 10
 * percent still is at 50: a rollout that is advanced takes nothing back.
 */
export function isInRollout(
  { teams, percent, salt }: Rollout,
  who: { readonly id: string; readonly teams: readonly string[] },
): boolean {
  if (teams.length > 0 && !who.teams.some((team) => teams.includes(team))) return false;
  return shareOf(salt, who.id) * 100 < percent;
}

/** A number from 0 to below 1 that nobody can choose for himself without another id. */
function shareOf(salt: string, id: string): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([salt, id]))
    .digest();
  return hash.readUIntBE(0, 6) / 2 ** 48;
}
