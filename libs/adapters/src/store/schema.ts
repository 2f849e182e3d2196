import type { Kysely } from 'kysely';

/** JSON in a text column: every character survives on every database, since JSON escapes what they cannot hold. */
export type Json = string;

interface Policies {
  id: string;
  tier: string;
  ref: string;
  created_by: string;
  created_at: string;
  newest_revision: number;
  active_revision: number | null;
  draft: Json | null;
  draft_etag: number | null;
  /** The last tag that a draft had, deleted ones too. */
  draft_counter: number;
}

interface PolicyRevisions {
  policy: string;
  number: number;
  state: string;
  etag: number;
  /** What never changes. */
  fixed: Json;
  /** What moves under the tag. */
  moving: Json;
}

interface PolicyComments {
  id: string;
  policy: string;
  at: string;
  body: Json;
}

interface BundleCounter {
  id: number;
  epoch: number;
  revision: number;
}

interface KeyDocuments {
  epoch: number;
  body: Json;
}

interface SigningKeys {
  id: string;
  created_at: string;
  retired_at: string | null;
  /** Base64. */
  material: string;
  body: Json;
}

interface Users {
  id: string;
  /** Canonical JSON of issuer and subject, digested: subjects may be of any length. */
  subject: string | null;
  etag: number;
  body: Json;
}

interface EditedValues {
  name: string;
  etag: number;
  body: Json;
}

interface Tokens {
  id: string;
  kind: string;
  principal: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  body: Json;
}

interface Sessions {
  secret_hash: string;
  id: string;
  user_id: string;
  created_at: string;
  expires_at: string;
  last_seen_at: string;
  body: Json;
}

interface Agents {
  id: string;
  owner: string;
  revoked: Json | null;
  body: Json;
}

interface RefreshSecrets {
  hash: string;
  agent: string;
  expires_at: string;
  used_at: string | null;
  /** Hash of the secret that took its place. */
  next: string | null;
}

interface DeviceEnrolments {
  device_hash: string;
  user_code: string;
  expires_at: string;
  etag: number;
  body: Json;
}

interface Approvals {
  id: string;
  state: string;
  requester: string;
  team: string | null;
  digest: string;
  created_at: string;
  expires_at: string;
  etag: number;
  fixed: Json;
  /** State and answers. */
  moving: Json;
}

interface ExceptionRequests {
  id: string;
  state: string;
  requester: string;
  document: string;
  created_at: string;
  body: Json;
}

export interface AuditRecords {
  seq: number;
  hash: string;
  source: string;
  source_seq: number;
  source_hash: string;
  link: string;
  received_at: string;
  kind: string;
  at: string;
  actor: string | null;
  agent: string | null;
  team: string | null;
  session: string | null;
  tool: string | null;
  verdict: string | null;
  rule: string | null;
  document: string | null;
  revision: number | null;
  body: Json;
}

interface AuditHeads {
  id: number;
  seq: number;
  hash: string;
}

interface AuditSources {
  source: string;
  seq: number;
  hash: string;
}

interface ShadowCounts {
  document: string;
  revision: number;
  rule: string;
  /** Empty = none. */
  team: string;
  tool: string;
  hour: string;
  matched: number;
  diverged: number;
}

interface ActivityHours {
  hour: string;
  /** Empty = none. */
  team: string;
  measure: string;
  detail: string;
  /** Empty = none. */
  model: string;
  amount: number;
}

interface Heartbeats {
  agent: string;
  team: string | null;
  at: string;
  version: string;
  epoch: number | null;
  revision: number | null;
  policy_state: string;
  /** Bytes of its audit log that it has yet to ship. */
  spooled: number;
  clock_skew_ms: number;
  body: Json;
}

interface FleetHighest {
  id: number;
  epoch: number;
  revision: number;
}

interface ServerRuns {
  id: string;
  requester: string;
  state: string;
  created_at: string;
  last_event: number;
  etag: number;
  body: Json;
}

interface ServerRunEvents {
  run: string;
  seq: number;
  at: string;
  type: string;
  data: Json;
}

interface Replays {
  id: string;
  policy: string;
  state: string;
  created_at: string;
  etag: number;
  fixed: Json;
  moving: Json;
}

interface ReplayFlips {
  replay: string;
  seq: number;
  team: string | null;
  tool: string;
  body: Json;
}

interface Idempotency {
  principal: string;
  route: string;
  key: string;
  digest: string;
  lease_until: string;
  expires_at: string;
  answer: Json | null;
}

interface UsageDays {
  kind: string;
  name: string;
  day: string;
  tokens: number;
  micro_dollars: number;
  tool_calls: number;
}

interface UsageReports {
  principal: string;
  key: string;
  at: string;
}

interface SchemaMigrations {
  number: number;
  name: string;
  applied_at: string;
}

export interface ControlSchema {
  policies: Policies;
  policy_revisions: PolicyRevisions;
  policy_comments: PolicyComments;
  bundle_counter: BundleCounter;
  key_documents: KeyDocuments;
  signing_keys: SigningKeys;
  users: Users;
  edited_values: EditedValues;
  tokens: Tokens;
  sessions: Sessions;
  agents: Agents;
  refresh_secrets: RefreshSecrets;
  device_enrolments: DeviceEnrolments;
  approvals: Approvals;
  exception_requests: ExceptionRequests;
  audit_records: AuditRecords;
  audit_head: AuditHeads;
  audit_sources: AuditSources;
  shadow_counts: ShadowCounts;
  activity_hours: ActivityHours;
  heartbeats: Heartbeats;
  fleet_highest: FleetHighest;
  server_runs: ServerRuns;
  server_run_events: ServerRunEvents;
  replays: Replays;
  replay_flips: ReplayFlips;
  idempotency: Idempotency;
  usage_days: UsageDays;
  usage_reports: UsageReports;
  schema_migrations: SchemaMigrations;
}

export type Database = Kysely<ControlSchema>;
export type StoreKind = 'sqlite' | 'postgres';
