import { closed, digest, flag, list, oneOf, open, orNull, page, text, time, whole } from './schema-parts.js';

// What policies as code need: drafts are text, compared and saved with an ETag.

export const MAX_POLICY_BYTES = 1024 * 1024;

/** `POST /v1/policies` (with `Idempotency-Key`): 201 with `PolicyView`; id, tier and ref are those of the text's metadata. */
export interface CreatePolicy {
  readonly text: string;
}

export const createPolicySchema = closed({ text: text(MAX_POLICY_BYTES) });

export interface PolicyView {
  /** `metadata.id`. */
  readonly id: string;
  readonly tier: 'org' | 'team' | 'orgDefault';
  readonly ref: string | null;
  /** The newest revision in force; null = never published. */
  readonly activeRevision: number | null;
  /** The newest revision at all: what a publication is compared with. 0 = none. */
  readonly newestRevision: number;
  readonly draft: { readonly etag: string; readonly author: string; readonly savedAt: string } | null;
  /** `metadata.title` of what is in force, or of the draft; null = it has none, or cannot be read. */
  readonly title: string | null;
  /** The revision that some have already; null = no rollout is under way. */
  readonly staged: number | null;
  /** The newest revision, where it waits for somebody else's yes. */
  readonly awaiting: number | null;
  readonly coverage: {
    /** Rules in force; of the draft while nothing is. 0 where that cannot be read. */
    readonly rules: number;
    readonly tests: number;
    /** Machines that were heard of and must enforce it, and their teams. */
    readonly agents: number;
    readonly teams: number;
  };
  /** The last change to draft or revisions, and whose it was. */
  readonly updatedAt: string;
  readonly updatedBy: string;
}

export const policyViewSchema = open({
  id: text(200),
  tier: oneOf('org', 'team', 'orgDefault'),
  ref: orNull(text(200)),
  activeRevision: orNull(whole(1)),
  newestRevision: whole(0),
  draft: orNull(open({ etag: text(100), author: text(200), savedAt: time })),
  title: orNull(text(200, 0)),
  staged: orNull(whole(1)),
  awaiting: orNull(whole(1)),
  coverage: open({ rules: whole(0), tests: whole(0), agents: whole(0), teams: whole(0) }),
  updatedAt: time,
  updatedBy: text(200),
});

/** `GET /v1/policies`. */
export const policyPageSchema = page(policyViewSchema);

/** `PUT /v1/policies/{id}/draft` with `If-Match: "<etag>"`, or `If-None-Match: *` where there is no draft. 412 `draft.changed`. */
export interface SaveDraft {
  readonly text: string;
}

export const saveDraftSchema = closed({ text: text(MAX_POLICY_BYTES) });

/** `GET` and `PUT /v1/policies/{id}/draft`; the header `ETag` is `"<etag>"`. */
export interface DraftView {
  readonly id: string;
  readonly text: string;
  readonly etag: string;
  readonly author: string;
  readonly savedAt: string;
  /** The revision that its author began with; 0 = none. */
  readonly basedOn: number;
}

export const draftViewSchema = open({
  id: text(200),
  text: text(MAX_POLICY_BYTES),
  etag: text(100),
  author: text(200),
  savedAt: time,
  basedOn: whole(0),
});

/** `GET /v1/policies/{id}/revisions/{n}`. */
export interface RevisionView {
  readonly id: string;
  readonly revision: number;
  readonly text: string;
  readonly digest: string;
  readonly author: string;
  readonly approver: string | null;
  readonly note: string | null;
  readonly kind: 'publish' | 'rollback';
  /** The revision whose text a rollback took up again. */
  readonly rollbackOf: number | null;
  readonly rollout: RolloutView | null;
  readonly state: 'awaiting' | 'staged' | 'active' | 'superseded' | 'halted' | 'rejected';
  /** Why it is in this state, where somebody or something said so. */
  readonly because: string | null;
  readonly createdAt: string;
  /** Of its state or rollout. */
  readonly changedAt: string;
}

/** Who gets a staged revision: members of `teams` (empty = all), and of those `percent` by a hash of `salt` and their id. */
export interface RolloutView {
  readonly teams: readonly string[];
  readonly percent: number;
  readonly salt: string;
}

export const rolloutSchema = closed({
  teams: list(text(200), 200),
  percent: { type: 'number', minimum: 0, maximum: 100 },
  salt: text(100, 0),
});

export const revisionViewSchema = open({
  id: text(200),
  revision: whole(1),
  text: text(MAX_POLICY_BYTES),
  digest,
  author: text(200),
  approver: orNull(text(200)),
  note: orNull(text(4000, 0)),
  kind: oneOf('publish', 'rollback'),
  rollbackOf: orNull(whole(1)),
  rollout: orNull(rolloutSchema),
  state: oneOf('awaiting', 'staged', 'active', 'superseded', 'halted', 'rejected'),
  because: orNull(text(4000, 0)),
  createdAt: time,
  changedAt: time,
});

/** `POST /v1/policies/{id}/draft/test`: the tests that the draft carries. */
export interface DraftTestReport {
  readonly passed: boolean;
  readonly tests: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly message: string | null;
  }[];
}

export const draftTestReportSchema = open({
  passed: flag,
  tests: list(open({ name: text(1000), passed: flag, message: orNull(text(10_000)) }), 10_000),
});

/** `POST /v1/policies/{id}/publications`: 201 with `RevisionView`; 409 `policy.revision_conflict`, 422 `policy.tests_failed`. */
export interface PublishPolicy {
  /** `newestRevision` as the publisher saw it. */
  readonly expectedRevision: number;
  readonly note?: string;
  readonly rollout?: RolloutView;
}

export const publishPolicySchema = closed(
  { expectedRevision: whole(0) },
  { note: text(4000), rollout: rolloutSchema },
);
