import type { Verdict } from '@wrongstack/contracts';

export type { Verdict } from '@wrongstack/contracts';

/** Loosest to strictest; the values of the contract, which a browser cannot load whole. */
export const VERDICTS = ['allow', 'confirm', 'approve', 'deny'] as const satisfies readonly Verdict[];
