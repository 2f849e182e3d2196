import { visibleText } from '../../../parts/visible-text.js';
import type { Revision } from '../policies.js';

/** Who has a staged revision, in words. */
export function rolloutText({ teams, percent }: NonNullable<Revision['rollout']>): string {
  const named = teams.length > 0 ? `the teams ${teams.map((team) => visibleText(team)).join(', ')}` : '';
  const share = percent > 0 ? `${percent} % of the agents` : '';
  return [named, share].filter((one) => one !== '').join(' and ') || 'nobody';
}
