import type { ActorFacts, Decision, Facts, Verdict } from '@wrongstack/contracts';
import type { ChainedContent, RecordedDecision, ReplayFlip } from '@wrongstack/contracts/control';
import { decide, type PolicyContext } from '@wrongstack/policy';

/** What a person's team must enforce, without the draft and with it. */
export interface ContextPair {
  readonly inForce: PolicyContext;
  readonly withDraft: PolicyContext;
}

/** The documents of a team, for a call with these facts. */
export type ReplayContexts = (team: string | null, facts: Pick<Facts, 'project'>) => ContextPair;

/** `unknown`: what was recorded cannot be decided again. */
export type Redecision =
  | { readonly kind: 'same' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'flip'; readonly flip: ReplayFlip };

const SAME: Redecision = { kind: 'same' };
const UNKNOWN: Redecision = { kind: 'unknown' };

/**
 * Decides one recorded call again. It flips where the draft changes the verdict: away from what was recorded, and from what the documents
 * in force say today. Without the second question each call that a person's own policy or trust once decided would count as the draft's doing.
 */
export function redecide(row: RecordedDecision, contexts: ReplayContexts): Redecision {
  try {
    const recorded = decisionIn(row.body);
    // Without an actor nobody's demands would be asked, and that would look like a yes.
    if (recorded?.facts.actor == null) return UNKNOWN;
    const { inForce, withDraft } = contexts(row.team, recorded.facts);
    const after = decide(recorded.facts, withDraft, []);
    if (after.verdict === recorded.verdict) return SAME;
    if (decide(recorded.facts, inForce, []).verdict === after.verdict) return SAME;
    return { kind: 'flip', flip: flipOf(row, recorded.verdict, after) };
  } catch {
    // Facts of a client whose version says something that this one cannot read.
    return UNKNOWN;
  }
}

/** The store's own text, written from a ChainedContent. What a client put into its entry is only claimed to be one. */
function decisionIn(
  body: string,
): (Decision & { readonly facts: { readonly actor: ActorFacts | null } }) | undefined {
  return (JSON.parse(body) as ChainedContent).entry.decision;
}

function flipOf(
  { seq, at, actor, team, tool }: RecordedDecision,
  before: Verdict,
  { verdict: after, by }: ReturnType<typeof decide>,
): ReplayFlip {
  return { seq, at, actor, team, tool: tool ?? '', before, after, by: `${by.kind} ${by.id}` };
}
