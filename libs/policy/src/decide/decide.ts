import { WrongStackError, type Facts, type HookDemand } from '@wrongstack/contracts';
import type { PolicyContext } from '../policy-context.js';
import type { Verdicts } from './verdicts.js';

/** Decides one call from its facts. Pure and synchronous. */
export function decide(facts: Facts, _context: PolicyContext, _demands: readonly HookDemand[]): Verdicts {
  throw new WrongStackError('policy.unready', `decide(${facts.tool}) follows in the next commits`);
}
