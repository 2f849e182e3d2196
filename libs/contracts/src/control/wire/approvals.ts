import {
  anyObject,
  closed,
  digest,
  flag,
  list,
  oneOf,
  open,
  orNull,
  page,
  text,
  time,
  whole,
} from './schema-parts.js';

// Requests that a policy sends to people, and the exceptions that a person who was denied asks for.

/**
 * `POST /v1/approvals`, with an `Idempotency-Key`: 201 with `ApprovalView`. The requester is whoever the access token names. Everything in it
 * has passed the secret scrubber.
 */
export interface CreateApproval {
  /** Chosen by the client, so that the same request can be sent again: `ap-…`. */
  readonly id: string;
  /** `approve`: a rule wants others. `confirm`: a headless session under `headlessConfirm: queue`; one yes is enough. */
  readonly kind: 'approve' | 'confirm';
  /** What the yes is bound to: the digest of actor, tool, input, place and files. */
  readonly digest: string;
  /** The client's decision id: `d-…`. */
  readonly decision: string;
  readonly session: string | null;
  readonly tool: string;
  /** One line: the command, or `edit infra/main.tf`. */
  readonly title: string;
  readonly rule: string | null;
  readonly document: string | null;
  readonly revision: number | null;
  readonly because: string;
  /** The pending card; a person must be able to see all that would run. */
  readonly view: object;
  /** The redacted facts. */
  readonly facts: object;
  readonly approvers: {
    readonly count: number;
    /** Teams, roles or people; empty = anybody with the role approver. */
    readonly from: readonly string[];
    readonly excludeRequester: boolean;
  };
  /** Null = the server's own limit. */
  readonly ttlMinutes: number | null;
}

export const createApprovalSchema = closed({
  id: { type: 'string', pattern: '^ap-[0-9a-z]{10,40}$' },
  kind: oneOf('approve', 'confirm'),
  digest,
  decision: text(100),
  session: orNull(text(100)),
  tool: text(200),
  title: text(4000),
  rule: orNull(text(200)),
  document: orNull(text(200)),
  revision: orNull(whole(1)),
  because: text(4000, 0),
  view: anyObject,
  facts: anyObject,
  approvers: closed({ count: whole(1, 20), from: list(text(200), 100), excludeRequester: flag }),
  ttlMinutes: orNull(whole(1, 43_200)),
});

/** `pending` → `approved` | `rejected` | `expired` | `withdrawn`; `approved` → `used` | `expired`. */
export type ApprovalState = 'pending' | 'approved' | 'rejected' | 'expired' | 'withdrawn' | 'used';

export interface ApprovalDecisionView {
  /** Name of the person. */
  readonly by: string;
  readonly decision: 'approve' | 'reject';
  readonly reason: string | null;
  readonly at: string;
}

/** `GET /v1/approvals/{id}` (`?wait=<seconds>` answers early when it changes; `ETag` and `If-None-Match` as ever). */
export interface ApprovalView extends CreateApproval {
  readonly state: ApprovalState;
  readonly requester: { readonly id: string; readonly name: string };
  readonly need: number;
  readonly have: number;
  readonly decisions: readonly ApprovalDecisionView[];
  readonly createdAt: string;
  readonly expiresAt: string;
}

export const approvalViewSchema = open({
  id: text(100),
  kind: oneOf('approve', 'confirm'),
  digest,
  state: oneOf('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'used'),
  decision: text(100),
  session: orNull(text(100)),
  tool: text(200),
  title: text(4000),
  rule: orNull(text(200)),
  document: orNull(text(200)),
  revision: orNull(whole(1)),
  because: text(4000, 0),
  view: anyObject,
  facts: anyObject,
  approvers: open({ count: whole(1, 20), from: list(text(200), 100), excludeRequester: flag }),
  ttlMinutes: orNull(whole(1)),
  requester: open({ id: text(200), name: text(200) }),
  need: whole(1),
  have: whole(0),
  decisions: list(
    open({ by: text(200), decision: oneOf('approve', 'reject'), reason: orNull(text(2000, 0)), at: time }),
    100,
  ),
  createdAt: time,
  expiresAt: time,
});

/** `GET /v1/approvals?state=&mine=&cursor=&limit=`. */
export const approvalPageSchema = page(approvalViewSchema);

/**
 * `POST /v1/approvals/{id}/decisions`: 200 with `ApprovalView`. 403 `approval.own_request` for the requester, 409
 * `approval.closed` when it is no longer pending or when this person has answered.
 */
export interface DecideApproval {
  readonly decision: 'approve' | 'reject';
  readonly reason?: string;
}

export const decideApprovalSchema = closed({ decision: oneOf('approve', 'reject') }, { reason: text(2000) });

/**
 * `POST /v1/approvals/{id}/use` by the requester's agent: 200 with `ApprovalView` in state `used`. Succeeds once. The same
 * `use` id again is the same use and gets the same answer (an answer was lost); another one is 409 `approval.used`. 409
 * `approval.digest` when it is about another call, `approval.not_approved` or `approval.expired` otherwise.
 */
export interface UseApproval {
  readonly digest: string;
  /** Chosen by the client, written down before it is sent. */
  readonly use: string;
}

export const useApprovalSchema = closed({ digest, use: text(100) });

// `DELETE /v1/approvals/{id}` by the requester withdraws: 200 with `ApprovalView`; 409 `approval.closed` once decided.

/** `POST /v1/exception-requests`: 201 with `ExceptionRequestView`. */
export interface CreateExceptionRequest {
  readonly decision: string;
  readonly tool: string;
  readonly title: string;
  /** What the decision was bound to, so that the same call is recognised. */
  readonly digest: string;
  readonly rule: string;
  readonly document: string;
  readonly revision: number;
  readonly facts: object;
  /** Why the person needs it. */
  readonly reason: string;
  /** For how long; null = what the one who decides thinks right. */
  readonly wantedUntil: string | null;
}

export const createExceptionRequestSchema = closed({
  decision: text(100),
  tool: text(200),
  title: text(4000),
  digest,
  rule: text(200),
  document: text(200),
  revision: whole(1),
  facts: anyObject,
  reason: text(2000),
  wantedUntil: orNull(time),
});

export interface ExceptionRequestView extends CreateExceptionRequest {
  /** `ex-…`. */
  readonly id: string;
  readonly state: 'pending' | 'granted' | 'refused';
  readonly requester: { readonly id: string; readonly name: string };
  readonly createdAt: string;
  /** What became of it; null while it is pending. */
  readonly decided: {
    readonly by: string;
    readonly at: string;
    readonly note: string | null;
    /** The revision that a grant became. */
    readonly published: { readonly policy: string; readonly revision: number } | null;
  } | null;
}

export const exceptionRequestViewSchema = open({
  id: text(100),
  decision: text(100),
  tool: text(200),
  title: text(4000),
  digest,
  rule: text(200),
  document: text(200),
  revision: whole(1),
  facts: anyObject,
  reason: text(2000),
  wantedUntil: orNull(time),
  state: oneOf('pending', 'granted', 'refused'),
  requester: open({ id: text(200), name: text(200) }),
  createdAt: time,
  decided: orNull(
    open({
      by: text(200),
      at: time,
      note: orNull(text(2000, 0)),
      published: orNull(open({ policy: text(200), revision: whole(1) })),
    }),
  ),
});
