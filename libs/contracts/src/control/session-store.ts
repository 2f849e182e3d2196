/** A browser in which a person has signed in. Only the hash of what its cookie holds is kept. */
export interface SessionRecord {
  /** For logs and the audit chain; proves nothing. */
  readonly id: string;
  /** sha256 of the secret, lower-case hex. */
  readonly secretHash: string;
  readonly user: string;
  /** What they signed in with, and by which the session stands or falls. */
  readonly proof:
    | { readonly kind: 'token'; readonly token: string }
    | {
        readonly kind: 'oidc';
        readonly issuer: string;
        /** As the identity provider said then; what they mean is looked up at each request. */
        readonly groups: readonly string[];
      };
  readonly createdAt: string;
  readonly expiresAt: string;
  /** To the minute or so: a request is not worth a write each time. */
  readonly lastSeenAt: string;
}

/** Sessions by the hash of their secret. Whether one still stands is the caller's to say. */
export abstract class SessionStore {
  /** False where the id or the secret is taken. */
  abstract add(session: SessionRecord): Promise<boolean>;
  abstract get(secretHash: string): Promise<SessionRecord | null>;
  /** The newest first. */
  abstract ofUser(user: string, limit: number): Promise<readonly SessionRecord[]>;
  /** An older time than the one that is kept changes nothing. */
  abstract touch(id: string, at: string): Promise<void>;
  /** False where there is none. */
  abstract remove(id: string): Promise<boolean>;
  /** Forgets those that expired, or were last seen, before; how many. */
  abstract prune(expiredBefore: string, silentSince: string): Promise<number>;
}
