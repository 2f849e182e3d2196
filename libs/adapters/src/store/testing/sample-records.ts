import type { AuditEntry, Facts } from '@wrongstack/contracts';
import { NOBODY, digestOf } from '@wrongstack/contracts';
import type {
  AgentRecord,
  ApprovalRequest,
  AuditBatch,
  AuditIndex,
  Heartbeat,
  PolicyRevision,
  RefreshSecret,
  ShippedRecord,
} from '@wrongstack/contracts/control';
import { auditIndexOf } from '@wrongstack/contracts/control';

/** Minutes after a fixed time, as the store wants times. */
export function minute(count: number): string {
  return new Date(Date.UTC(2026, 11, 1) + count * 60_000).toISOString();
}

export const AT = minute(0);

/** Text that databases trip over: NUL, a lone surrogate, an emoji, combining marks, SQL, JSON, line ends, letters from right to left. */
export const DIFFICULT_TEXTS = [
  '',
  'a\0b',
  'lone \ud800 surrogate \udfff',
  '😀 é é ß İ ﷺ',
  `'; drop table policies; --`,
  `" or 1=1 -- $1 ? :a @b`,
  '{"a":"\\u0000"}',
  'line\r\nend\u2028\u2029\ttab\\',
  '‮right to left',
  '%_[]*',
] as const;

export const FACTS: Facts = {
  tool: 'bash',
  owner: 'core',
  definitionDigest: 'sha256:0',
  claimsTrusted: true,
  permission: 'confirm',
  mutating: true,
  declared: ['shell.arbitrary'],
  effective: [{ name: 'shell.arbitrary', declared: true, carriedBy: 'all' }],
  riskTier: 'standard',
  callRisk: 'standard',
  riskReasons: [],
  paths: [],
  command: null,
  hosts: [],
  mcp: null,
  actor: NOBODY,
  session: { mode: 'default', interactive: true, yolo: false, sandboxed: false, remoteApprovals: true },
  project: '/project',
  cwd: '/project',
  background: false,
  now: AT,
};

export function noteEntry(text: string, ts = AT): AuditEntry {
  return { kind: 'note', ts, session: null, run: null, call: null, data: { text } };
}

/** A source's own chain: each record knows the hash of the one before. */
export class SampleSource {
  #seq = 0;
  #prev: string | null = null;

  constructor(readonly name = 'agent-1/a-1') {}

  /** The next `count` records; `change` sets what they are searched by. */
  batch(
    count: number,
    change: Partial<AuditIndex> = {},
    textOf = (seq: number) => `note ${seq}`,
  ): AuditBatch {
    const records: ShippedRecord[] = [];
    for (let made = 0; made < count; made += 1) records.push(this.next(textOf(this.#seq), change));
    return { source: this.name, records };
  }

  next(text: string, change: Partial<AuditIndex> = {}): ShippedRecord {
    const entry = noteEntry(text, change.at);
    const index = { ...auditIndexOf(entry, { actor: 'ann', agent: 'agent-1', team: 'payments' }), ...change };
    const [seq, prev] = [this.#seq, this.#prev];
    const hash = digestOf({ seq, prev, entry, source: this.name });
    this.#seq += 1;
    this.#prev = hash;
    return { seq, prev, hash, index, entry };
  }

  /** Records that are lost on the way. */
  lose(count: number): void {
    this.batch(count);
  }
}

export function sampleRevision(
  policy: string,
  number: number,
  change: Partial<PolicyRevision> = {},
): Omit<PolicyRevision, 'etag'> {
  return {
    policy,
    number,
    kind: 'publish',
    rollbackOf: null,
    text: `text ${number}`,
    digest: `sha256:${number}`,
    author: 'ann',
    note: '',
    createdAt: minute(number),
    approver: null,
    rollout: { teams: [], percent: 100, salt: 'salt' },
    state: 'staged',
    changedAt: minute(number),
    because: null,
    ...change,
  };
}

export function sampleApproval(
  id: string,
  change: Partial<ApprovalRequest> = {},
): Omit<ApprovalRequest, 'etag' | 'state' | 'answers'> {
  return {
    id,
    asks: 'approve',
    digest: 'sha256:call',
    requester: 'ann',
    agent: 'agent-1',
    team: 'payments',
    decision: 'd-1',
    session: null,
    tool: 'bash',
    title: 'bash terraform apply',
    because: 'Infra changes need two people',
    rule: { id: 'infra-two-people', document: 'payments', revision: 42 },
    facts: FACTS,
    view: { title: 'terraform apply' },
    needed: 2,
    from: [],
    excludeRequester: true,
    ttlMinutes: 30,
    createdAt: AT,
    expiresAt: minute(30),
    ...change,
  };
}

export function sampleAgent(id: string, change: Partial<AgentRecord> = {}): AgentRecord {
  return {
    id,
    name: `the agent ${id}`,
    owner: 'ann',
    teams: ['payments'],
    roles: ['agent'],
    host: 'laptop',
    enrolledAt: AT,
    revoked: null,
    ...change,
  };
}

export function sampleSecret(hash: string, expiresAt = minute(60)): RefreshSecret {
  return { hash, issuedAt: AT, expiresAt };
}

export function sampleHeartbeat(agent: string, change: Partial<Heartbeat> = {}): Heartbeat {
  return {
    agent,
    team: 'payments',
    at: AT,
    version: '1.0.0',
    platform: 'linux',
    bundle: { scope: 'team:payments', epoch: 1, revision: 7 },
    policyState: 'fresh',
    spooled: 0,
    policyVersions: ['policy.wrongstack/v1'],
    refused: null,
    clockSkewMs: 0,
    ...change,
  };
}
