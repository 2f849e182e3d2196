import type { AuditFilter, AuditStore, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import { isInRollout } from '@wrongstack/policy/bundle';
import type { DecisionTally } from './denial-spike.js';

/** A spike is something recent. It also bounds what a check reads. */
const WINDOW_MS = 3_600_000;
/** What the same people were told before they had it. */
const BEFORE_MS = 24 * 3_600_000;
const MOST_GROUPS = 1_000;

/** Decisions of people who have a staged revision and of those who do not. */
export interface SplitTally {
  readonly with: PeopleTally;
  readonly without: PeopleTally;
}

export interface PeopleTally extends DecisionTally {
  /** Whose decisions these are. */
  readonly people: number;
}

/** What a spike is looked for in. */
export interface RolloutTallies {
  /** Of those who have the revision, since they have it, and in the last hour at most. */
  readonly staged: PeopleTally;
  /** Of the same people in the day before. */
  readonly before: PeopleTally;
  /** Of the others now. */
  readonly others: PeopleTally;
}

export async function rolloutTallies(
  audit: Pick<AuditStore, 'counts'>,
  policy: PolicyRecord,
  revision: PolicyRevision,
  now: number,
): Promise<RolloutTallies> {
  const since = Date.parse(revision.changedAt);
  const recent = await splitTally(audit, policy, revision, { from: iso(Math.max(since, now - WINDOW_MS)) });
  const earlier = await splitTally(audit, policy, revision, { from: iso(since - BEFORE_MS), to: iso(since) });
  return { staged: recent.with, before: earlier.with, others: recent.without };
}

/** Of the most active people, where there are very many. A team's policy concerns that team alone. */
export async function splitTally(
  audit: Pick<AuditStore, 'counts'>,
  policy: PolicyRecord,
  { rollout }: Pick<PolicyRevision, 'rollout'>,
  window: Pick<AuditFilter, 'from' | 'to'>,
): Promise<SplitTally> {
  const scope = policy.tier === 'team' ? { team: policy.ref } : {};
  const filter = { ...scope, ...window, kind: 'decision' } as const;
  const counts = await audit.counts(filter, ['actor', 'team', 'verdict'], MOST_GROUPS);
  const people = counts.map(({ by, count }) => ({
    actor: String(by.actor ?? ''),
    team: typeof by.team === 'string' ? by.team : null,
    denied: by.verdict === 'deny' ? count : 0,
    decided: count,
  }));
  const has = ({ actor, team }: PersonCount): boolean =>
    isInRollout(rollout, { id: actor, teams: team === null ? [] : [team] });
  return { with: tally(people.filter(has)), without: tally(people.filter((one) => !has(one))) };
}

interface PersonCount extends DecisionTally {
  readonly actor: string;
  readonly team: string | null;
}

function tally(counts: readonly PersonCount[]): PeopleTally {
  return {
    people: new Set(counts.map(({ actor }) => actor)).size,
    decided: counts.reduce((sum, { decided }) => sum + decided, 0),
    denied: counts.reduce((sum, { denied }) => sum + denied, 0),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
