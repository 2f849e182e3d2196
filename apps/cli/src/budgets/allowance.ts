import { type RunId, WrongStackError } from '@wrongstack/contracts';
import {
  hasShared,
  type HolderSpent,
  type PolicyBudget,
  policyBudget,
  type RunSpent,
} from '@wrongstack/kernel';
import { localActor } from '../app/actor.js';
import type { Host } from '../app/host.js';

type Parts = Pick<Host, 'policy' | 'request' | 'centre' | 'localUsage'>;

/**
 * What policies allow a run now, with what its person and their team have used up: by the server, over all machines, where this one is
 * enrolled; else by the logs of this machine. Throws `budget.unknown` where it cannot be known.
 */
export async function allowance(host: Parts, spent: RunSpent, run: RunId): Promise<PolicyBudget> {
  const { budget, staleGraceHours } = await host.policy.locks(host.request.projectRoot);
  if (!hasShared(budget)) return policyBudget(budget, null, null);
  const { user, team } = await usedSoFar(host, staleGraceHours, spent, run);
  return policyBudget(budget, user, team);
}

async function usedSoFar(
  { centre, localUsage }: Parts,
  staleGraceHours: number,
  spent: RunSpent,
  run: RunId,
): Promise<{ readonly user: HolderSpent; readonly team: HolderSpent | null }> {
  if (centre === null) {
    const { user } = localActor();
    return { user: { name: user?.name ?? 'you', ...(await localUsage.now(run, spent)) }, team: null };
  }
  if (centre.usage === null) {
    throw new WrongStackError(
      'budget.unknown',
      'what you and your team used up is not known, and the policy limits it: nobody is signed in here',
      { hint: 'wstack login' },
    );
  }
  return centre.usage.now(staleGraceHours);
}
