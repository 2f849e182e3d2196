import { addRule, exceptionRule, parsePolicyDocument } from '@wrongstack/policy';
import type { ExceptionRequest, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import { ApiProblem } from '../errors/api-problem.js';

/**
 * The text in force with the exception added. Throws a 409 or 422 problem where it cannot be: the rule is gone, or the call cannot be
 * named exactly, and then somebody has to write the exception by hand.
 */
export async function textWithException(
  active: PolicyRevision,
  { id, requester, rule, facts, reason }: ExceptionRequest,
  until: string,
): Promise<string> {
  const file = `${active.policy} r${active.number}`;
  const { rules } = await parsePolicyDocument(active.text, { file });
  const target = rules.find((one) => one.id === rule.id);
  if (target === undefined)
    throw new ApiProblem(
      409,
      'exception.rule_gone',
      `${file} has no rule ${rule.id} any more: nothing is to be lifted`,
    );
  const because = `exception ${id}: ${reason}`.replace(/\s+/g, ' ').slice(0, 400);
  const made = exceptionRule(target, facts, { id: `exception-${id}`, user: requester, until, because });
  if (typeof made === 'string')
    throw new ApiProblem(
      422,
      'exception.not_nameable',
      `${made}: write the exception into a draft of ${active.policy} by hand`,
    );
  return addRule(active.text, made);
}

/** The revision that an exception is added to. Throws a 409 problem while something else is under way in this policy. */
export function revisionToExcept(
  policy: PolicyRecord,
  live: readonly PolicyRevision[],
  newest: PolicyRevision | null,
): PolicyRevision {
  const mine = live.filter((one) => one.policy === policy.id);
  const active = mine.find(({ state }) => state === 'active');
  if (active === undefined)
    throw new ApiProblem(409, 'exception.not_in_force', `nothing of ${policy.id} is in force for everybody`);
  // Added to the one text only, it would be lost or would end a rollout that nobody wanted to end.
  if (mine.some(({ state }) => state === 'staged'))
    throw new ApiProblem(
      409,
      'exception.rollout_under_way',
      `a rollout of ${policy.id} is under way: advance or halt it first`,
    );
  if (newest?.state === 'awaiting')
    throw new ApiProblem(
      409,
      'exception.review_under_way',
      `revision ${newest.number} of ${policy.id} waits for a review: decide it first`,
    );
  return active;
}
