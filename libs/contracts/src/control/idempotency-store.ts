/** One promise of one principal about one route. */
export interface IdempotencyKey {
  readonly principal: string;
  /** `POST /v1/tokens`. */
  readonly route: string;
  readonly key: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * `mine`: do the work, then `finish`. `answered`: give that answer again. `running`: somebody is at it. `other-request`: the key was
 * used for another request.
 */
export type IdempotencyOutcome =
  | { readonly outcome: 'mine' | 'running' | 'other-request' }
  | { readonly outcome: 'answered'; readonly answer: StoredAnswer };

export abstract class IdempotencyStore {
  /**
   * `digest`: of the request. `leaseUntil`: a request that has not finished by then is taken for dead, and the next one is `mine`.
   * In one transaction with the work and `finish`, the second request waits for the first.
   */
  abstract begin(
    key: IdempotencyKey,
    digest: string,
    times: { readonly at: string; readonly leaseUntil: string; readonly expiresAt: string },
  ): Promise<IdempotencyOutcome>;
  abstract finish(key: IdempotencyKey, answer: StoredAnswer): Promise<void>;
  /** The work failed and may be tried again under the same key. */
  abstract abandon(key: IdempotencyKey): Promise<void>;
  /** Forgets what expired before; how many. */
  abstract prune(at: string): Promise<number>;
}
