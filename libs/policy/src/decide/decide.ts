import type {
  ActorFacts,
  Facts,
  FloorRecord,
  HookDemand,
  Obligation,
  RuleMatch,
} from '@wrongstack/contracts';
import type { PolicyContext } from '../policy-context.js';
import type { CompiledRule } from '../rules/compiled-rule.js';
import { CallView } from '../rules/match/call-view.js';
import { actorFloors } from './actor.js';
import { ANY_REMOTE_PERSON, approversNeeded } from './approvers.js';
import { capabilitiesOf } from './capabilities.js';
import { throughChannel } from './channel.js';
import { conclude } from './conclude.js';
import { askRules } from './findings.js';
import { FloorList } from './floor-list.js';
import { acknowledgedFloors } from './floors/acknowledged.js';
import { hardFloors } from './floors/hard.js';
import { outsideReadFloors } from './floors/outside-read.js';
import { softFloors } from './floors/soft.js';
import { softGrant } from './grants.js';
import { mergeFloors, mergeMatches, mergeObligations } from './merge-actors.js';
import { floorSource } from './sources.js';
import { stateFloors } from './state.js';
import { trustInForce } from './trust-match.js';
import type { Verdicts } from './verdicts.js';

/**
 * Decides one call from its facts. Pure, synchronous, and the only place where a verdict comes into being:
 * the result is the strictest of all floors that no grant has lowered.
 */
export function decide(facts: Facts, context: PolicyContext, demands: readonly HookDemand[]): Verdicts {
  if (context.failure !== null) {
    const { file, reason } = context.failure;
    return refuse('policy-file', `policy file ${file} cannot be used: ${reason}; correct or remove it`);
  }
  const line = lineOf(facts.actor);
  if (line.length === 0)
    return refuse('unknown-actor', 'nobody knows who makes this call, so no limit of theirs is known');

  // A subagent's call is also decided as if its parent had made it, and so on up to the person's own agent.
  const views = line.map((actor) => decideAs(new CallView(facts, actor), context, demands));
  const floors = new FloorList();
  floors.records.push(...mergeFloors(views.map((view) => view.floors)));
  const restrictions = [...new Set(views.flatMap((view) => view.restrictions))];
  const approvers = approversNeeded(restrictions, floors);

  const { demanded, by, because } = conclude(floors.records, facts, context.policies.rules);
  const { verdict, note } = throughChannel(demanded, facts.session, context.policies.locks);
  const rule = by.kind === 'rule' ? restrictions.find((candidate) => isSource(candidate, by)) : undefined;
  return {
    verdict,
    demanded,
    by,
    because: note === null ? because : `${because}; ${note}`,
    instead: rule?.rule.instead ?? null,
    floors: floors.records,
    matches: mergeMatches(views.map((view) => view.matches)),
    obligations: mergeObligations(views.map((view) => view.obligations)),
    approvers: verdict !== 'approve' ? null : demanded === 'approve' ? approvers : ANY_REMOTE_PERSON,
  };
}

interface ActorVerdict {
  readonly floors: readonly FloorRecord[];
  readonly restrictions: readonly CompiledRule[];
  readonly matches: readonly RuleMatch[];
  readonly obligations: readonly Obligation[];
}

function decideAs(view: CallView, context: PolicyContext, demands: readonly HookDemand[]): ActorVerdict {
  const { policies } = context;
  const { locks } = policies;
  const findings = askRules(view, policies, capabilitiesOf(view));
  const trust = trustInForce(view, context.trust, locks);
  const floors = new FloorList();

  hardFloors(view, findings, demands, floors);
  actorFloors(view, findings, locks, floors);
  stateFloors(view, findings, context, locks, floors);
  for (const entry of trust.denials) {
    floors.hard('deny', { kind: 'trust', id: entry.id }, `${entry.grantedBy} said never to this`);
  }
  acknowledgedFloors(view, findings, floors);
  outsideReadFloors(view, findings, trust, floors);
  softFloors(view, findings, floors, () => softGrant(view, findings, trust, locks));

  const { restrictions, matches, obligations } = findings;
  return { floors: floors.records, restrictions, matches, obligations };
}

/** Empty where a caller without types leaves the actor out: a call by nobody is bound by nothing, so nobody may make one. */
function lineOf(actor: ActorFacts | null | undefined): ActorFacts[] {
  const line: ActorFacts[] = [];
  for (let next = actor; next !== null && next !== undefined; next = next.parent) line.push(next);
  return line;
}

function isSource(rule: CompiledRule, by: Verdicts['by']): boolean {
  return rule.id === by.id && rule.document === by.document && rule.tier === by.tier;
}

function refuse(floor: string, because: string): Verdicts {
  const by = floorSource(floor);
  return {
    verdict: 'deny',
    demanded: 'deny',
    by,
    because,
    instead: null,
    floors: [{ kind: 'hard', verdict: 'deny', source: by, reason: because, loweredBy: null }],
    matches: [],
    obligations: [],
    approvers: null,
  };
}
