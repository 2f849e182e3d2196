import type { ControlPorts, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import { isInRollout } from '@wrongstack/policy/bundle';

/** For whom a bundle is. */
export interface BundleReader {
  /** The person: all of somebody's machines get the same. */
  readonly id: string;
  readonly teams: readonly string[];
}

/** A policy with those of its revisions that somebody must enforce now. */
export interface LivePolicy {
  readonly policy: PolicyRecord;
  readonly staged: PolicyRevision | null;
  readonly active: PolicyRevision | null;
}

/** `org`, or `team:<ref>`: whose documents these are. */
export function belongsTo({ policy }: LivePolicy, scope: string): boolean {
  return policy.tier === 'team' ? scope === `team:${policy.ref}` : true;
}

/** The revision that this reader gets: the staged one if the rollout picks them, else the one that was there before. */
export function revisionFor({ staged, active }: LivePolicy, reader: BundleReader): PolicyRevision | null {
  if (staged !== null && isInRollout(staged.rollout, reader)) return staged;
  return active;
}

/** Revisions grouped by their policy, each policy once. */
export function livePolicies(
  policies: readonly PolicyRecord[],
  revisions: readonly PolicyRevision[],
): readonly LivePolicy[] {
  const live = new Map<string, { staged: PolicyRevision | null; active: PolicyRevision | null }>();
  for (const revision of revisions) {
    const entry = live.get(revision.policy) ?? { staged: null, active: null };
    if (revision.state === 'staged') entry.staged = revision;
    if (revision.state === 'active') entry.active = revision;
    live.set(revision.policy, entry);
  }
  return policies.flatMap((policy) => {
    const found = live.get(policy.id);
    return found === undefined ? [] : [{ policy, ...found }];
  });
}

const PAGE = 500;

export async function allPolicies(store: Pick<ControlPorts, 'policies'>): Promise<readonly PolicyRecord[]> {
  const all: PolicyRecord[] = [];
  for (let cursor: string | null = null; ;) {
    const { items, next }: { items: readonly PolicyRecord[]; next: string | null } =
      await store.policies.list({}, { limit: PAGE, cursor });
    all.push(...items);
    if (next === null) return all;
    cursor = next;
  }
}
