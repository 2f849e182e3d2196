import type { PolicyDraft, PolicyRevision } from '@wrongstack/contracts/control';
import type { DraftView, RevisionView } from '@wrongstack/contracts/wire';

export function draftView({ policy, text, etag, author, savedAt, basedOn }: PolicyDraft): DraftView {
  return { id: policy, text, etag: String(etag), author, savedAt, basedOn };
}

export function revisionView(revision: PolicyRevision): RevisionView {
  const { policy, number, text, digest, author, approver, note, kind, rollbackOf } = revision;
  const { rollout, state, because, createdAt, changedAt } = revision;
  return {
    ...{ id: policy, revision: number, text, digest, author, approver, note, kind, rollbackOf },
    ...{ rollout, state, because, createdAt, changedAt },
  };
}
