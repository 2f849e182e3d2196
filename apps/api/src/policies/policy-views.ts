import type { PolicyDraft, PolicyRecord, PolicyRevision } from '@wrongstack/contracts/control';
import type { DraftView, PolicyView, RevisionView } from '@wrongstack/contracts/wire';

export function policyView(policy: PolicyRecord, draft: PolicyDraft | null, updatedAt: string): PolicyView {
  const { id, tier, ref, activeRevision, newestRevision } = policy;
  return {
    id,
    tier,
    ref,
    activeRevision,
    newestRevision,
    draft: draft === null ? null : { etag: String(draft.etag), author: draft.author, savedAt: draft.savedAt },
    updatedAt,
  };
}

export function draftView({ policy, text, etag, author, savedAt }: PolicyDraft): DraftView {
  return { id: policy, text, etag: String(etag), author, savedAt };
}

export function revisionView(revision: PolicyRevision): RevisionView {
  const { policy, number, text, digest, author, approver, note, kind, rollout, state, createdAt } = revision;
  return {
    id: policy,
    revision: number,
    text,
    digest,
    author,
    approver,
    note,
    kind,
    rollout,
    state,
    createdAt,
  };
}
