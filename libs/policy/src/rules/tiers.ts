import type { PolicyTier } from '@wrongstack/contracts';

/** From the most to the least authoritative; for reports and ties, never for precedence: the strictest rule wins. */
export const TIERS: readonly PolicyTier[] = [
  'org',
  'team',
  'orgDefault',
  'user',
  'project',
  'plugin',
  'builtin',
];

/** Signed and central, or placed where only an administrator writes: what locks and acknowledgements come from. */
export function isCentral(tier: PolicyTier): boolean {
  return tier === 'org' || tier === 'team';
}

/** Defaults of the organisation and of the program: what grants and YOLO may lower. */
export function isSoft(tier: PolicyTier): boolean {
  return tier === 'orgDefault' || tier === 'builtin';
}

/** A repository that was cloned an hour ago, or a plugin, must not be able to allow anything. */
export function onlyTightens(tier: PolicyTier): boolean {
  return tier === 'project' || tier === 'plugin';
}
