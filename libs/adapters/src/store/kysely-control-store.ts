import type { ControlPorts } from '@wrongstack/contracts/control';
import { ControlStore } from '@wrongstack/contracts/control';
import { sql } from 'kysely';
import { AppendQueue } from './audit/append-queue.js';
import { KyselyAuditStore } from './audit/kysely-audit-store.js';
import { KyselyAgentStore } from './identity/kysely-agent-store.js';
import { KyselyIdentityStore } from './identity/kysely-identity-store.js';
import { KyselySessionStore } from './identity/kysely-session-store.js';
import { KyselyTokenStore } from './identity/kysely-token-store.js';
import { KyselyBundleRevisionStore } from './policies/kysely-bundle-revision-store.js';
import { KyselyKeyStore } from './policies/kysely-key-store.js';
import { KyselyPolicyStore } from './policies/kysely-policy-store.js';
import { KyselyShadowStore } from './policies/kysely-shadow-store.js';
import { KyselyApprovalStore } from './requests/kysely-approval-store.js';
import { KyselyExceptionRequestStore } from './requests/kysely-exception-request-store.js';
import type { Database, StoreKind } from './schema.js';
import type { StoreSession } from './store-session.js';
import { RootSession } from './store-session.js';
import { KyselyActivityStore } from './work/kysely-activity-store.js';
import { KyselyFleetStore } from './work/kysely-fleet-store.js';
import { KyselyIdempotencyStore } from './work/kysely-idempotency-store.js';
import { KyselyReplayStore } from './work/kysely-replay-store.js';
import { KyselyRunStore } from './work/kysely-run-store.js';
import { KyselyUsageStore } from './work/kysely-usage-store.js';

function portsOn(session: StoreSession): Omit<ControlPorts, 'audit'> {
  return {
    policies: new KyselyPolicyStore(session),
    bundleRevision: new KyselyBundleRevisionStore(session),
    keys: new KyselyKeyStore(session),
    identities: new KyselyIdentityStore(session),
    tokens: new KyselyTokenStore(session),
    sessions: new KyselySessionStore(session),
    agents: new KyselyAgentStore(session),
    approvals: new KyselyApprovalStore(session),
    exceptionRequests: new KyselyExceptionRequestStore(session),
    shadow: new KyselyShadowStore(session),
    activity: new KyselyActivityStore(session),
    fleet: new KyselyFleetStore(session),
    runs: new KyselyRunStore(session),
    replays: new KyselyReplayStore(session),
    idempotency: new KyselyIdempotencyStore(session),
    usage: new KyselyUsageStore(session),
  };
}

/** Every port on Kysely; what differs between databases lies below it. */
export class KyselyControlStore extends ControlStore {
  readonly #session: RootSession;
  readonly #appends: AppendQueue;
  readonly policies;
  readonly bundleRevision;
  readonly keys;
  readonly identities;
  readonly tokens;
  readonly sessions;
  readonly agents;
  readonly approvals;
  readonly exceptionRequests;
  readonly audit;
  readonly shadow;
  readonly activity;
  readonly fleet;
  readonly runs;
  readonly replays;
  readonly idempotency;
  readonly usage;

  constructor(
    db: Database,
    readonly kind: StoreKind,
    private readonly letGo: () => void = () => undefined,
  ) {
    super();
    this.#session = new RootSession(db, kind);
    this.#appends = new AppendQueue(this.#session);
    const ports = portsOn(this.#session);
    this.policies = ports.policies;
    this.bundleRevision = ports.bundleRevision;
    this.keys = ports.keys;
    this.identities = ports.identities;
    this.tokens = ports.tokens;
    this.sessions = ports.sessions;
    this.agents = ports.agents;
    this.approvals = ports.approvals;
    this.exceptionRequests = ports.exceptionRequests;
    this.audit = new KyselyAuditStore(this.#session, this.#appends);
    this.shadow = ports.shadow;
    this.activity = ports.activity;
    this.fleet = ports.fleet;
    this.runs = ports.runs;
    this.replays = ports.replays;
    this.idempotency = ports.idempotency;
    this.usage = ports.usage;
  }

  override async transaction<Result>(work: (tx: ControlPorts) => Promise<Result>): Promise<Result> {
    return await this.#session.transaction((session) =>
      work({ ...portsOn(session), audit: new KyselyAuditStore(session) }),
    );
  }

  override async ping(): Promise<void> {
    await this.#session.run((db) => sql`select 1`.execute(db));
  }

  override async close(): Promise<void> {
    await this.#appends.drain();
    await this.#session.close();
    this.letGo();
  }
}
