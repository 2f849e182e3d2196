/** A policy document's place. `id` is its `metadata.id`; `ref` the team (or the organisation) that it is for. */
export interface PolicyRecord {
  readonly id: string;
  readonly tier: 'org' | 'team' | 'orgDefault';
  readonly ref: string;
  readonly createdBy: string;
  readonly createdAt: string;
  /** Number of the newest revision, whatever became of it; 0 while there is none. Publishing compares with it. */
  readonly newestRevision: number;
  /** The revision that everybody outside of a rollout has; null while there is none. */
  readonly activeRevision: number | null;
  /** Null while there is no draft. */
  readonly draftEtag: number | null;
}

export interface PolicyDraft {
  readonly policy: string;
  readonly text: string;
  readonly author: string;
  readonly savedAt: string;
  /** The revision that the author began with; 0 = none. */
  readonly basedOn: number;
  /** Grows by one with each save, also over a deletion and a new draft: an old tag never fits again. */
  readonly etag: number;
}

/** `salt` decides with `percent` who is in. Empty `teams` = every team. `percent`: 0..100. */
export interface Rollout {
  readonly teams: readonly string[];
  readonly percent: number;
  readonly salt: string;
}

/**
 * `awaiting` somebody else's yes → `staged` for those in the rollout → `active` for all → `superseded` by a later one.
 * `halted`: taken back from the rollout. `rejected`: somebody else said no.
 */
export const REVISION_STATES = ['awaiting', 'staged', 'active', 'superseded', 'halted', 'rejected'] as const;
export type RevisionState = (typeof REVISION_STATES)[number];

/** One published text. Text, digest, author, kind and creation never change; the rest moves under `etag`. */
export interface PolicyRevision {
  readonly policy: string;
  /** 1, 2, 3, … */
  readonly number: number;
  readonly kind: 'publish' | 'rollback';
  /** The revision whose text a rollback took up again. */
  readonly rollbackOf: number | null;
  readonly text: string;
  /** `sha256:<hex>` of the text. */
  readonly digest: string;
  readonly author: string;
  readonly note: string;
  readonly createdAt: string;
  readonly approver: string | null;
  readonly rollout: Rollout;
  readonly state: RevisionState;
  readonly changedAt: string;
  /** Why it is in this state, where somebody or something said so: `denials rose from 1% to 40%`. */
  readonly because: string | null;
  /** 1 for a new revision; grows by one with each change. */
  readonly etag: number;
}

export interface PolicyComment {
  readonly id: string;
  readonly policy: string;
  /** Null = about the draft. */
  readonly revision: number | null;
  readonly author: string;
  readonly text: string;
  readonly at: string;
}

/** What clients compare as their floor. Epoch: of the key document; a new epoch goes with a new signing key. */
export interface BundleRevision {
  readonly epoch: number;
  readonly revision: number;
}
