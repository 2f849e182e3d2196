import type { ActivityStore } from './activity-store.js';
import type { AgentStore } from './agent-store.js';
import type { ApprovalStore, ExceptionRequestStore } from './approval-store.js';
import type { AuditStore } from './audit-store.js';
import type { BundleRevisionStore } from './bundle-revision-store.js';
import type { FleetStore } from './fleet-store.js';
import type { IdempotencyStore } from './idempotency-store.js';
import type { IdentityStore } from './identity-store.js';
import type { KeyStore } from './key-store.js';
import type { PolicyStore } from './policy-store.js';
import type { ReplayStore } from './replay-store.js';
import type { RunStore } from './run-store.js';
import type { SessionStore } from './session-store.js';
import type { ShadowStore } from './shadow-store.js';
import type { TokenStore } from './token-store.js';
import type { UsageStore } from './usage-store.js';

/** The ports of one store, all of them in one unit of work. */
export interface ControlPorts {
  readonly policies: PolicyStore;
  readonly bundleRevision: BundleRevisionStore;
  readonly keys: KeyStore;
  readonly identities: IdentityStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly agents: AgentStore;
  readonly approvals: ApprovalStore;
  readonly exceptionRequests: ExceptionRequestStore;
  readonly audit: AuditStore;
  readonly shadow: ShadowStore;
  readonly activity: ActivityStore;
  readonly fleet: FleetStore;
  readonly runs: RunStore;
  readonly replays: ReplayStore;
  readonly idempotency: IdempotencyStore;
  readonly usage: UsageStore;
}

/**
 * The state of one organisation's control plane. The ports of the store itself commit each call on its own; those of a
 * transaction commit together. Ids, revisions and times are given by the caller, so that every adapter does the same.
 *
 * Text: anything that JSON can hold comes back as it was given, in values (texts, notes, names, facts). What serves as a key or a filter
 * (ids, teams, tools, rules) must be well-formed Unicode without NUL and at most 512 characters: `store.bad_key` names the field.
 * The index of an audit record is an exception, since a record is never refused: what is not well-formed, and NUL, is kept as U+FFFD.
 *
 * Codes: `store.unavailable` (the database cannot be reached or does not answer in time; the next call tries again),
 * `store.busy` (gave up after several tries against others), `store.conflict`, `store.bad_key`, `store.bad_cursor`,
 * `store.bad_limit`, `store.unknown_parent`, `store.nested` (a call outside of the transaction that surrounds it would wait for itself), `store.closed`.
 */
export abstract class ControlStore implements ControlPorts {
  abstract readonly kind: 'sqlite' | 'postgres';

  abstract readonly policies: PolicyStore;
  abstract readonly bundleRevision: BundleRevisionStore;
  abstract readonly keys: KeyStore;
  abstract readonly identities: IdentityStore;
  abstract readonly tokens: TokenStore;
  abstract readonly sessions: SessionStore;
  abstract readonly agents: AgentStore;
  abstract readonly approvals: ApprovalStore;
  abstract readonly exceptionRequests: ExceptionRequestStore;
  abstract readonly audit: AuditStore;
  abstract readonly shadow: ShadowStore;
  abstract readonly activity: ActivityStore;
  abstract readonly fleet: FleetStore;
  abstract readonly runs: RunStore;
  abstract readonly replays: ReplayStore;
  abstract readonly idempotency: IdempotencyStore;
  abstract readonly usage: UsageStore;

  /**
   * All of it or nothing. What throws rolls back and is thrown on. May run the work again (at most a few times) where the
   * database ended it in favour of another one: the work changes nothing but the store. It uses `tx`, never the store itself.
   * Keep it short: it holds a connection, and on SQLite everybody else waits. A plain read is no lock; use the compare-and-sets.
   */
  abstract transaction<Result>(work: (tx: ControlPorts) => Promise<Result>): Promise<Result>;
  /** Resolves if the database answers now; rejects with `store.unavailable`. */
  abstract ping(): Promise<void>;
  /** Waits for what runs, then lets go. Idempotent. */
  abstract close(): Promise<void>;
}
