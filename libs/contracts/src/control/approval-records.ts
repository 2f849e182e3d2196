import type { Facts } from '../facts.js';
import type { JsonValue } from '../json-schema.js';

/**
 * `pending` → `approved` | `rejected` | `withdrawn` | `expired`; `approved` → `used`, once, or `expired`.
 * One that is past its end is `expired` from then on, whether or not somebody wrote that down.
 */
export type ApprovalState =
  | { readonly is: 'pending' }
  | { readonly is: 'approved'; readonly at: string }
  | { readonly is: 'rejected' | 'withdrawn'; readonly at: string; readonly by: string }
  | { readonly is: 'expired'; readonly at: string }
  | { readonly is: 'used'; readonly at: string; readonly by: string };

export interface ApprovalAnswer {
  readonly by: string;
  readonly answer: 'approve' | 'reject';
  readonly note: string | null;
  readonly at: string;
}

/** A call that waits for N other people (or for the person, somewhere else: `confirm`). */
export interface ApprovalRequest {
  readonly id: string;
  readonly asks: 'approve' | 'confirm';
  /** What exactly is asked for; another digest is another question. */
  readonly digest: string;
  readonly requester: string;
  readonly agent: string | null;
  readonly team: string | null;
  /** The client's decision and session ids. */
  readonly decision: string;
  readonly session: string | null;
  readonly tool: string;
  /** One line: what would run. */
  readonly title: string;
  readonly because: string;
  readonly rule: {
    readonly id: string;
    readonly document: string | null;
    readonly revision: number | null;
  } | null;
  /** Redacted at the source. */
  readonly facts: Facts;
  /** What a person must see before answering. */
  readonly view: JsonValue;
  readonly needed: number;
  /** Users, teams or roles that may answer; empty = whoever holds the ability. Checked above the store. */
  readonly from: readonly string[];
  readonly excludeRequester: boolean;
  /** As asked for; `expiresAt` is what it came to. */
  readonly ttlMinutes: number | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly state: ApprovalState;
  /** In order of arrival; one a person. */
  readonly answers: readonly ApprovalAnswer[];
  /** 1 for a new request; grows by one with each change. */
  readonly etag: number;
}

/** A denied developer asks that a rule should not hold for them for a while. */
export interface ExceptionRequest {
  readonly id: string;
  readonly requester: string;
  readonly team: string | null;
  /** The client's decision that denied, and what it was bound to. */
  readonly decision: string;
  readonly digest: string;
  readonly tool: string;
  readonly title: string;
  readonly rule: { readonly id: string; readonly document: string; readonly revision: number };
  readonly reason: string;
  readonly facts: Facts | null;
  readonly createdAt: string;
  /** How long it is asked for; null = as long as whoever decides thinks right. */
  readonly wantedUntil: string | null;
  readonly state:
    | { readonly is: 'pending' }
    | {
        readonly is: 'granted' | 'refused';
        readonly by: string;
        readonly at: string;
        readonly note: string | null;
        /** The policy revision that a grant was published as. */
        readonly published: { readonly policy: string; readonly revision: number } | null;
      };
}
