import type { PolicyDraft, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import type { ControlSchema, Json } from '../schema.js';

export type RevisionChange = Pick<PolicyRevision, 'state' | 'rollout' | 'approver' | 'because' | 'changedAt'>;
type Fixed = Omit<PolicyRevision, 'policy' | 'number' | 'etag' | keyof RevisionChange>;
type Moving = Omit<RevisionChange, 'state'>;

export function policyOf(row: Omit<ControlSchema['policies'], 'draft' | 'draft_counter'>): PolicyRecord {
  return {
    id: row.id,
    // Written from the record's own type.
    tier: row.tier as PolicyRecord['tier'],
    ref: row.ref,
    createdBy: row.created_by,
    createdAt: row.created_at,
    newestRevision: row.newest_revision,
    activeRevision: row.active_revision,
    draftEtag: row.draft_etag,
  };
}

export function draftOf(
  row: Pick<ControlSchema['policies'], 'id' | 'draft' | 'draft_etag'>,
): PolicyDraft | null {
  if (row.draft === null || row.draft_etag === null) return null;
  return {
    policy: row.id,
    ...fromJson<Omit<PolicyDraft, 'policy' | 'etag'>>(row.draft),
    etag: row.draft_etag,
  };
}

export function fixedOf(revision: Omit<PolicyRevision, 'etag'>): Json {
  const { kind, rollbackOf, text, digest, author, note, createdAt } = revision;
  const fixed: Fixed = { kind, rollbackOf, text, digest, author, note, createdAt };
  return toJson(fixed);
}

export function movingOf({ rollout, approver, because, changedAt }: RevisionChange): Json {
  const moving: Moving = { rollout, approver, because, changedAt };
  return toJson(moving);
}

export function revisionOf(row: ControlSchema['policy_revisions']): PolicyRevision {
  return {
    policy: row.policy,
    number: row.number,
    ...fromJson<Fixed>(row.fixed),
    ...fromJson<Moving>(row.moving),
    // Written from the record's own type.
    state: row.state as PolicyRevision['state'],
    etag: row.etag,
  };
}
