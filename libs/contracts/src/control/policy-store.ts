import type { Page, PageRequest } from './paging.js';
import type { PolicyComment, PolicyDraft, PolicyRecord, PolicyRevision } from './policy-records.js';

/** `stale`: somebody was faster; `current` is what is there now (null = nothing). Nothing was written. */
export type Compared<Current> =
  { readonly ok: true } | { readonly ok: false; readonly reason: 'stale'; readonly current: Current | null };

export type DraftSaved =
  | { readonly ok: true; readonly draft: PolicyDraft }
  | { readonly ok: false; readonly reason: 'stale'; readonly current: PolicyDraft | null };

export interface PolicyFilter {
  readonly tier?: PolicyRecord['tier'];
  readonly ref?: string;
}

/**
 * Policies, their drafts, revisions and comments. Every change compares with what its caller has seen. A draft, revision or
 * comment of a policy that does not exist: `store.unknown_parent`.
 */
export abstract class PolicyStore {
  /** False where the id is taken. */
  abstract create(
    policy: Pick<PolicyRecord, 'id' | 'tier' | 'ref' | 'createdBy' | 'createdAt'>,
  ): Promise<boolean>;
  abstract get(id: string): Promise<PolicyRecord | null>;
  /** By id. */
  abstract list(filter: PolicyFilter, page: PageRequest): Promise<Page<PolicyRecord>>;

  abstract draft(policy: string): Promise<PolicyDraft | null>;
  /** `ifEtag`: the tag of the draft that it replaces; null = there is none yet. */
  abstract saveDraft(draft: Omit<PolicyDraft, 'etag'>, ifEtag: number | null): Promise<DraftSaved>;
  abstract deleteDraft(policy: string, ifEtag: number): Promise<Compared<PolicyDraft>>;

  /**
   * The next revision: its number must be one above the policy's newest, else `stale` with the newest. Of two that publish at
   * once, one wins. At most one revision of a policy is `active`: supersede the one before in the same transaction, first
   * (`store.conflict` otherwise).
   */
  abstract addRevision(revision: Omit<PolicyRevision, 'etag'>): Promise<Compared<PolicyRevision>>;
  abstract revision(policy: string, number: number): Promise<PolicyRevision | null>;
  /** Newest first. */
  abstract revisions(policy: string, page: PageRequest): Promise<Page<PolicyRevision>>;
  /** Changes state, rollout, approver and `because` if `ifEtag` is still its tag. */
  abstract changeRevision(
    policy: string,
    number: number,
    change: Pick<PolicyRevision, 'state' | 'rollout' | 'approver' | 'because' | 'changedAt'>,
    ifEtag: number,
  ): Promise<Compared<PolicyRevision>>;
  /** All revisions that some client must enforce now: `staged` and `active`, by policy and number. */
  abstract liveRevisions(): Promise<readonly PolicyRevision[]>;

  abstract addComment(comment: PolicyComment): Promise<void>;
  /** Oldest first. */
  abstract comments(policy: string, page: PageRequest): Promise<Page<PolicyComment>>;
}
