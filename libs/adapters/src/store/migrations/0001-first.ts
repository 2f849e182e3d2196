import type { Database, StoreKind } from '../schema.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './migration.js';

export const first: Migration = {
  number: 1,
  name: 'first',
  async up(db, kind) {
    await policies(db, kind);
    await identities(db, kind);
    await requests(db, kind);
    await audit(db, kind);
    await fleetAndWork(db, kind);
  },
};

async function policies(db: Database, kind: StoreKind): Promise<void> {
  await createTable(
    db,
    kind,
    'policies',
    {
      id: 'key',
      tier: 'key',
      ref: 'key',
      created_by: 'key',
      created_at: 'key',
      newest_revision: 'number',
      'active_revision?': 'number',
      'draft_etag?': 'number',
      draft_counter: 'number',
      'draft?': 'json',
    },
    ['id'],
  );
  const revision = {
    policy: 'key',
    number: 'number',
    state: 'key',
    etag: 'number',
    moving: 'json',
    fixed: 'json',
  } as const;
  await createTable(db, kind, 'policy_revisions', revision, ['policy', 'number']);
  await createIndex(db, 'policy_revisions', ['state']);
  await createTable(db, kind, 'policy_comments', { id: 'key', policy: 'key', at: 'key', body: 'json' }, [
    'id',
  ]);
  await createIndex(db, 'policy_comments', ['policy', 'at', 'id']);
  await createTable(db, kind, 'bundle_counter', { id: 'number', epoch: 'number', revision: 'number' }, [
    'id',
  ]);
  await db.insertInto('bundle_counter').values({ id: 1, epoch: 0, revision: 0 }).execute();
  await createTable(db, kind, 'key_documents', { epoch: 'number', body: 'json' }, ['epoch']);
  const signingKey = {
    id: 'key',
    created_at: 'key',
    'retired_at?': 'key',
    material: 'json',
    body: 'json',
  } as const;
  await createTable(db, kind, 'signing_keys', signingKey, ['id']);
}

async function identities(db: Database, kind: StoreKind): Promise<void> {
  await createTable(db, kind, 'users', { id: 'key', 'subject?': 'key', etag: 'number', body: 'json' }, [
    'id',
  ]);
  await createIndex(db, 'users', ['subject'], true);
  await createTable(db, kind, 'edited_values', { name: 'key', etag: 'number', body: 'json' }, ['name']);
  await createTable(
    db,
    kind,
    'tokens',
    {
      id: 'key',
      kind: 'key',
      principal: 'key',
      'expires_at?': 'key',
      'revoked_at?': 'key',
      'last_used_at?': 'key',
      body: 'json',
    },
    ['id'],
  );
  await createIndex(db, 'tokens', ['principal', 'id']);
  await createIndex(db, 'tokens', ['kind', 'expires_at']);
  await createTable(db, kind, 'agents', { id: 'key', owner: 'key', 'revoked?': 'json', body: 'json' }, [
    'id',
  ]);
  await createIndex(db, 'agents', ['owner', 'id']);
  const secret = { hash: 'key', agent: 'key', expires_at: 'key', 'used_at?': 'key', 'next?': 'key' } as const;
  await createTable(db, kind, 'refresh_secrets', secret, ['hash']);
  await createIndex(db, 'refresh_secrets', ['expires_at']);
  const enrolment = {
    device_hash: 'key',
    user_code: 'key',
    expires_at: 'key',
    etag: 'number',
    body: 'json',
  } as const;
  await createTable(db, kind, 'device_enrolments', enrolment, ['device_hash']);
  await createIndex(db, 'device_enrolments', ['user_code'], true);
}

async function requests(db: Database, kind: StoreKind): Promise<void> {
  await createTable(
    db,
    kind,
    'approvals',
    {
      id: 'key',
      state: 'key',
      requester: 'key',
      'team?': 'key',
      digest: 'key',
      created_at: 'key',
      expires_at: 'key',
      etag: 'number',
      moving: 'json',
      fixed: 'json',
    },
    ['id'],
  );
  await createIndex(db, 'approvals', ['state', 'expires_at']);
  await createIndex(db, 'approvals', ['created_at', 'id']);
  await createIndex(db, 'approvals', ['requester', 'created_at', 'id']);
  await createIndex(db, 'approvals', ['digest']);
  const exception = {
    id: 'key',
    state: 'key',
    requester: 'key',
    document: 'key',
    created_at: 'key',
    body: 'json',
  } as const;
  await createTable(db, kind, 'exception_requests', exception, ['id']);
  await createIndex(db, 'exception_requests', ['created_at', 'id']);
}

async function audit(db: Database, kind: StoreKind): Promise<void> {
  // The body stands last: it is large, and what is searched is found without reading over it.
  await createTable(
    db,
    kind,
    'audit_records',
    {
      seq: 'number',
      hash: 'key',
      source: 'key',
      source_seq: 'number',
      source_hash: 'key',
      link: 'key',
      received_at: 'key',
      kind: 'key',
      at: 'key',
      'actor?': 'key',
      'agent?': 'key',
      'team?': 'key',
      'session?': 'key',
      'tool?': 'key',
      'verdict?': 'key',
      'rule?': 'key',
      'document?': 'key',
      'revision?': 'number',
      body: 'json',
    },
    ['seq'],
  );
  await createIndex(db, 'audit_records', ['source', 'source_seq', 'source_hash'], true);
  for (const column of ['at', 'actor', 'agent', 'team', 'tool', 'verdict', 'rule']) {
    await createIndex(db, 'audit_records', [column, 'seq']);
  }
  await createTable(db, kind, 'audit_head', { id: 'number', seq: 'number', hash: 'key' }, ['id']);
  await createTable(db, kind, 'audit_sources', { source: 'key', seq: 'number', hash: 'key' }, ['source']);
}

async function fleetAndWork(db: Database, kind: StoreKind): Promise<void> {
  const shadow = {
    document: 'key',
    revision: 'number',
    rule: 'key',
    team: 'key',
    tool: 'key',
    hour: 'key',
    matched: 'number',
    diverged: 'number',
  } as const;
  await createTable(db, kind, 'shadow_counts', shadow, [
    'document',
    'revision',
    'rule',
    'team',
    'tool',
    'hour',
  ]);
  const heartbeat = {
    agent: 'key',
    'team?': 'key',
    at: 'key',
    version: 'key',
    'epoch?': 'number',
    'revision?': 'number',
    policy_state: 'key',
    body: 'json',
  } as const;
  await createTable(db, kind, 'heartbeats', heartbeat, ['agent']);
  await createIndex(db, 'heartbeats', ['at']);
  await createTable(db, kind, 'fleet_highest', { id: 'number', epoch: 'number', revision: 'number' }, ['id']);
  const run = {
    id: 'key',
    requester: 'key',
    state: 'key',
    created_at: 'key',
    last_event: 'number',
    etag: 'number',
    body: 'json',
  } as const;
  await createTable(db, kind, 'server_runs', run, ['id']);
  await createIndex(db, 'server_runs', ['created_at', 'id']);
  const event = { run: 'key', seq: 'number', at: 'key', type: 'json', data: 'json' } as const;
  await createTable(db, kind, 'server_run_events', event, ['run', 'seq']);
  const replay = {
    id: 'key',
    policy: 'key',
    state: 'key',
    created_at: 'key',
    etag: 'number',
    moving: 'json',
    fixed: 'json',
  } as const;
  await createTable(db, kind, 'replays', replay, ['id']);
  await createIndex(db, 'replays', ['policy', 'created_at', 'id']);
  await createIndex(db, 'replays', ['state', 'created_at']);
  const flip = { replay: 'key', seq: 'number', 'team?': 'key', tool: 'key', body: 'json' } as const;
  await createTable(db, kind, 'replay_flips', flip, ['replay', 'seq']);
  await createIndex(db, 'replay_flips', ['replay', 'team', 'seq']);
  const promise = {
    principal: 'key',
    route: 'key',
    key: 'key',
    digest: 'key',
    lease_until: 'key',
    expires_at: 'key',
    'answer?': 'json',
  } as const;
  await createTable(db, kind, 'idempotency', promise, ['principal', 'route', 'key']);
  await createIndex(db, 'idempotency', ['expires_at']);
}
