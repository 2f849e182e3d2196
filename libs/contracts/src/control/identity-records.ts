import type { JsonValue } from '../json-schema.js';
import type { ControlRole } from './principal.js';

export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** Who the identity provider says it is; null = known here alone. */
  readonly subject: { readonly issuer: string; readonly subject: string } | null;
  readonly teams: readonly string[];
  readonly roles: readonly ControlRole[];
  readonly createdAt: string;
  readonly disabledAt: string | null;
  /** 1 for a new user; grows by one with each change. */
  readonly etag: number;
}

/** Members of the identity provider's group have these teams and roles. */
export interface GroupMapping {
  readonly group: string;
  readonly teams: readonly string[];
  readonly roles: readonly ControlRole[];
}

/** One value that is edited as a whole. etag 0 = never written, the value is the caller's default. */
export interface Edited<Value> {
  readonly etag: number;
  readonly value: Value;
}

export type OrganisationSettings = Readonly<Record<string, JsonValue>>;

/** `api`: made by a person, long-lived. `access`: what an agent holds for an hour. Only the hash of its secret is kept. */
export interface TokenRecord {
  readonly id: string;
  readonly kind: 'api' | 'access';
  readonly name: string;
  /** sha256 of the secret, lower-case hex. */
  readonly secretHash: string;
  /** Whom it stands for: user, service or agent. */
  readonly principal: { readonly id: string; readonly kind: 'user' | 'service' | 'agent' };
  /** Teams and roles of a service; for a user or an agent those of its record count, and these are empty. */
  readonly teams: readonly string[];
  readonly roles: readonly ControlRole[];
  readonly scopes: readonly string[];
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute or so: a use is not worth a write each time. */
  readonly lastUsedAt: string | null;
}

export interface AgentRecord {
  readonly id: string;
  readonly name: string;
  /** The person who enrolled it, and for whom it acts. */
  readonly owner: string;
  readonly teams: readonly string[];
  readonly roles: readonly ControlRole[];
  readonly host: string | null;
  readonly enrolledAt: string;
  readonly revoked: { readonly at: string; readonly because: string } | null;
}

export interface RefreshSecret {
  /** sha256 of the secret, lower-case hex. */
  readonly hash: string;
  readonly issuedAt: string;
  readonly expiresAt: string;
}

/** A device that asks to be let in, until a person elsewhere confirms the code that it shows. */
export interface DeviceEnrolment {
  /** sha256 of the code that the device holds. */
  readonly deviceHash: string;
  /** What a person types. */
  readonly userCode: string;
  /** sha256 of the refresh secret that the device chose for itself, lower-case hex: the agent's first. */
  readonly refreshHash: string;
  readonly device: {
    readonly name: string;
    readonly host: string | null;
    readonly version: string | null;
    readonly platform: string | null;
  };
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly state:
    | { readonly is: 'pending' }
    | {
        readonly is: 'approved' | 'denied';
        readonly by: string;
        readonly at: string;
        readonly teams: readonly string[];
      }
    | { readonly is: 'used'; readonly by: string; readonly at: string; readonly agent: string };
}
