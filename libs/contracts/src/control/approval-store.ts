import type { ApprovalAnswer, ApprovalRequest, ApprovalState, ExceptionRequest } from './approval-records.js';
import type { Page, PageRequest } from './paging.js';

export type AnswerOutcome =
  | { readonly ok: true; readonly request: ApprovalRequest }
  | {
      readonly ok: false;
      readonly reason: 'not-pending' | 'expired' | 'already-answered' | 'own-request';
      readonly request: ApprovalRequest;
    }
  | { readonly ok: false; readonly reason: 'unknown' };

export type UseOutcome =
  | { readonly ok: true; readonly request: ApprovalRequest }
  | {
      readonly ok: false;
      readonly reason: 'other-digest' | 'not-approved' | 'expired' | 'already-used';
      readonly request: ApprovalRequest;
    }
  | { readonly ok: false; readonly reason: 'unknown' };

export interface ApprovalFilter {
  readonly state?: ApprovalState['is'];
  readonly requester?: string;
  readonly team?: string;
  readonly digest?: string;
}

/**
 * Approval requests. Each method is one compare-and-set under the request's lock: of many that answer or use at once,
 * the outcomes are those of some order. `at` decides about expiry, so it comes from the server's clock.
 */
export abstract class ApprovalStore {
  /** False where the id is taken. */
  abstract add(request: Omit<ApprovalRequest, 'etag' | 'state' | 'answers'>): Promise<boolean>;
  /** As of `at`: what is past its end is `expired`. */
  abstract get(id: string, at: string): Promise<ApprovalRequest | null>;
  /** Newest first, as of `at`. */
  abstract list(filter: ApprovalFilter, page: PageRequest, at: string): Promise<Page<ApprovalRequest>>;
  /** One `reject` rejects; the `needed`-th `approve` approves. One answer a person, and none by an excluded requester. */
  abstract answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  abstract withdraw(id: string, by: string, at: string): Promise<AnswerOutcome>;
  /** Succeeds once, for this digest, after approval and before the end. */
  abstract use(id: string, digest: string, by: string, at: string): Promise<UseOutcome>;
  /** Writes down which requests are past their end and gives those, at most 1,000: somebody may be waiting for them. */
  abstract expire(at: string): Promise<readonly ApprovalRequest[]>;
  /** How many are in each state, as of `at`. */
  abstract counts(at: string): Promise<Readonly<Record<ApprovalState['is'], number>>>;
}

export type ExceptionDecided =
  | { readonly ok: true; readonly request: ExceptionRequest }
  | { readonly ok: false; readonly reason: 'already-decided'; readonly request: ExceptionRequest }
  | { readonly ok: false; readonly reason: 'unknown' };

export abstract class ExceptionRequestStore {
  /** False where the id is taken. */
  abstract add(request: Omit<ExceptionRequest, 'state'>): Promise<boolean>;
  abstract get(id: string): Promise<ExceptionRequest | null>;
  /** Newest first. */
  abstract list(
    filter: {
      readonly state?: ExceptionRequest['state']['is'];
      readonly requester?: string;
      readonly document?: string;
    },
    page: PageRequest,
  ): Promise<Page<ExceptionRequest>>;
  abstract decide(
    id: string,
    decision: Exclude<ExceptionRequest['state'], { readonly is: 'pending' }>,
  ): Promise<ExceptionDecided>;
}
