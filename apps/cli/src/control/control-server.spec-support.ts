import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canonicalJson, sha256 } from '@wrongstack/contracts';
import type {
  AgentIdentity,
  ApprovalView,
  AuditBatch,
  CreateApproval,
  DecideApproval,
  Heartbeat,
  RefreshAgent,
  ShippedRecord,
  UseApproval,
} from '@wrongstack/contracts/wire';
import { MAX_BATCH_RECORDS } from '@wrongstack/contracts/wire';
import {
  createBundle,
  generateSigningKey,
  publicKeyText,
  signBundle,
  signKeyDocument,
  timestampHeader,
} from '@wrongstack/policy/bundle';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** What a request meets on its way; the first that says something ends it. */
export type Fault = (request: {
  readonly method: string;
  readonly path: string;
}) => 'drop-before' | 'drop-after' | number | null;

export const PERSONS_TOKEN = 'wst_person_0123456789';

/**
 * A small control plane over real HTTP that speaks the wire and really signs. Everything in memory, one organisation, one
 * team; faults are put in its way by the specs.
 */
export class ControlServer {
  readonly root = generateSigningKey('root');
  readonly key = generateSigningKey('k1');
  fault: Fault = () => null;
  revision = 0;
  texts: readonly { readonly id: string; readonly text: string }[] = [];
  confirmed: 'pending' | 'approved' | 'denied' = 'pending';
  readonly seen: string[] = [];
  readonly heartbeats: Heartbeat[] = [];
  readonly records = new Map<string, ShippedRecord[]>();
  readonly flagged = new Set<string>();
  duplicates = 0;
  readonly approvals = new Map<string, ApprovalView & { usedBy?: string }>();
  readonly exceptions: object[] = [];
  readonly drafts = new Map<string, { text: string; etag: number }>();
  revoked = false;
  readonly usedTokens = new Set<string>();

  private refreshHash: string | null = null;
  private accessTokens = new Set<string>();
  private waiting = new Set<() => void>();
  private server: Server | null = null;

  async start(port = 0): Promise<string> {
    this.server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve));
    return this.address;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.wake();
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) =>
      this.server === null ? resolve() : this.server.close(() => resolve()),
    );
    this.server = null;
  }

  get rootKey(): string {
    return publicKeyText(this.root);
  }

  publish(...texts: readonly string[]): void {
    this.revision += 1;
    this.texts = texts.map((text) => ({ id: /id: ([\w.-]+)/.exec(text)?.[1] ?? 'payments', text }));
    this.wake();
  }

  wake(): void {
    for (const one of this.waiting) one();
    this.waiting.clear();
  }

  expireAccess(): void {
    this.accessTokens.clear();
  }

  answer(id: string, by: string, decision: 'approve' | 'reject', reason: string | null = null): void {
    const view = this.approvals.get(id)!;
    const decisions = [...view.decisions, { by, decision, reason, at: new Date().toISOString() }];
    const have = decisions.filter((one) => one.decision === 'approve').length;
    const state = decision === 'reject' ? 'rejected' : have >= view.need ? 'approved' : 'pending';
    this.approvals.set(id, { ...view, decisions, have, state });
    this.wake();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://x');
    const path = url.pathname.replace('/v1/', '');
    const method = request.method ?? 'GET';
    this.seen.push(`${method} ${path}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = this.fault({ method, path });
    if (fault === 'drop-before') return void request.socket.destroy();
    const answer =
      typeof fault === 'number'
        ? problem(new Problem(fault, 'fault'))
        : await this.answerTo(method, path, url, request, Buffer.concat(chunks).toString());
    if (fault === 'drop-after') return void request.socket.destroy();
    const type = answer.status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
    response.end(
      answer.body === undefined
        ? undefined
        : typeof answer.body === 'string'
          ? answer.body
          : JSON.stringify(answer.body),
    );
  }

  private async answerTo(
    method: string,
    path: string,
    url: URL,
    request: IncomingMessage,
    text: string,
  ): Promise<Answer> {
    try {
      // Whatever a route declares: the specs send what the wire says.
      const body = (text === '' ? undefined : JSON.parse(text)) as never;
      return await this.route(method, path, url, request, body);
    } catch (error) {
      return problem(error);
    }
  }

  private async route(
    method: string,
    path: string,
    url: URL,
    request: IncomingMessage,
    body: never,
  ): Promise<Answer> {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const [first = '', id = '', third] = path.split('/').map(decodeURIComponent);
    const wait = Number(url.searchParams.get('wait') ?? 0);
    switch (`${method} ${first}`) {
      case 'GET keys':
        return { status: 200, body: this.keys() };
      case 'POST enrolments':
        return id === 'token' ? this.poll() : this.startEnrolment(body);
      case 'POST agents':
        if (id === 'token') return this.refresh(body);
        if (token !== PERSONS_TOKEN) throw new Problem(401, 'token.unknown');
        this.refreshHash = (body as { refreshHash: string }).refreshHash;
        return { status: 201, body: { ...this.identity(), rootKey: this.rootKey } };
    }
    if (!this.accessTokens.has(token)) throw new Problem(401, 'token.expired');
    switch (`${method} ${first}`) {
      case 'GET whoami':
        return { status: 200, body: { ...this.identity(false), agent: { id: 'ag-1', name: 'laptop' } } };
      case 'GET bundles':
        return this.bundle(id, request.headers['if-none-match'], wait);
      case 'POST heartbeats':
        this.heartbeats.push(body);
        return { status: 204 };
      case 'POST audit':
        return { status: 200, body: this.takeBatch(body) };
      case 'GET audit':
        return id === 'verify'
          ? { status: 200, body: { ok: true, records: 7, brokenAt: null, reason: null, flaggedSources: [] } }
          : { status: 200, body: { items: [], next: null } };
      case 'POST exception-requests':
        this.exceptions.push(body);
        return { status: 201, body: { ...(body as object), id: 'ex-1', state: 'pending' } };
      case 'POST approvals':
        return id === ''
          ? this.createApproval(body)
          : third === 'use'
            ? this.use(id, body)
            : this.decide(id, body);
      case 'GET approvals': {
        if (id === '') {
          const state = url.searchParams.get('state');
          const items = [...this.approvals.values()].filter((one) => state === null || one.state === state);
          return { status: 200, body: { items, next: null } };
        }
        if (wait > 0 && this.approvalOf(id).state === 'pending') await this.news(wait);
        return { status: 200, body: this.approvalOf(id) };
      }
      case 'DELETE approvals':
        this.approvals.set(id, { ...this.approvalOf(id), state: 'withdrawn' });
        return { status: 200, body: this.approvalOf(id) };
      case 'GET policies':
        return this.readPolicies(id, third);
      case 'POST policies': {
        const { text } = body as { text: string };
        const policy = /id: ([\w.-]+)/.exec(text)?.[1] ?? '';
        this.drafts.set(policy, { text, etag: 1 });
        return { status: 201, body: this.policyView(policy) };
      }
      case 'PUT policies': {
        const draft = this.drafts.get(id);
        const wanted = request.headers['if-match'];
        if (draft === undefined ? wanted !== undefined : wanted !== `"${draft.etag}"`)
          throw new Problem(412, 'draft.changed');
        this.drafts.set(id, { text: (body as { text: string }).text, etag: (draft?.etag ?? 0) + 1 });
        return { status: 200, body: this.draftView(id) };
      }
    }
    throw new Problem(404, 'not_found');
  }

  private identity(fresh = true): AgentIdentity {
    const accessToken = `wsa_${Math.random().toString(36).slice(2)}`;
    if (fresh) this.accessTokens.add(accessToken);
    return {
      agent: { id: 'ag-1', name: 'laptop' },
      principal: { id: 'u-1', kind: 'user', name: 'mira', teams: ['payments'], roles: ['developer'] },
      organisation: 'acme',
      scope: 'team:payments',
      accessToken,
      accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    };
  }

  private startEnrolment(body: { refreshHash: string }): Answer {
    this.refreshHash = body.refreshHash;
    const verificationUri = `${this.address}/console/enrol`;
    return {
      status: 201,
      body: {
        deviceCode: 'wsd_1',
        userCode: 'BCDF-GHJK',
        verificationUri,
        verificationUriComplete: `${verificationUri}?code=BCDF-GHJK`,
        expiresAt: new Date(Date.now() + 600_000).toISOString(),
        intervalSeconds: 1,
      },
    };
  }

  /** Polls until the person at the other end has confirmed; null = never. */
  confirmedAfter: number | null = null;

  private poll(): Answer {
    const polls = this.seen.filter((one) => one === 'POST enrolments/token').length;
    if (this.confirmedAfter !== null && polls > this.confirmedAfter) this.confirmed = 'approved';
    if (this.confirmed !== 'approved') throw new Problem(400, `enrolment.${this.confirmed}`);
    return { status: 200, body: { ...this.identity(), rootKey: this.rootKey } };
  }

  private refresh({ refreshToken, nextHash }: RefreshAgent): Answer {
    const hash = sha256(refreshToken);
    if (this.revoked) throw new Problem(401, 'agent.revoked');
    if (this.usedTokens.has(hash)) {
      this.revoked = true;
      throw new Problem(401, 'agent.revoked');
    }
    if (hash !== this.refreshHash) throw new Problem(401, 'agent.unknown_token');
    this.usedTokens.add(hash);
    this.refreshHash = nextHash;
    return { status: 200, body: this.identity() };
  }

  keys() {
    const keys = [
      { keyId: this.key.keyId, publicKey: publicKeyText(this.key), notAfter: '2099-01-01T00:00:00Z' },
    ];
    return signKeyDocument({ epoch: 1, issuedAt: '2026-01-01T00:00:00Z', keys }, this.root);
  }

  private async bundle(scope: string, etag: string | undefined, wait: number): Promise<Answer> {
    if (this.revision === 0) throw new Problem(404, 'bundle.none');
    const made = () => {
      const now = Date.now();
      // To the day, so that the same revision is the same text for a while.
      const issuedAt = new Date(now - (now % 86_400_000)).toISOString();
      const expiresAt = new Date(now - (now % 86_400_000) + 7 * 86_400_000).toISOString();
      const documents = this.texts.map(({ id, text }) => ({ id, text, revision: this.revision }));
      return signBundle(
        createBundle({ scope, epoch: 1, revision: this.revision, issuedAt, expiresAt, documents }),
        this.key,
      );
    };
    let signed = made();
    if (etag === `"${sha256(signed.payload)}"` && wait > 0) {
      await this.news(wait);
      signed = made();
    }
    const tag = `"${sha256(signed.payload)}"`;
    const time = timestampHeader(
      { scope, epoch: 1, revision: this.revision, time: new Date().toISOString() },
      this.key,
    );
    const headers = { etag: tag, 'wrongstack-timestamp': time };
    return etag === tag ? { status: 304, headers } : { status: 200, headers, body: signed };
  }

  private news(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.seen.push('waits');
      const timer = setTimeout(resolve, seconds * 1000);
      this.waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** As the real one: dedupes by number, checks each hash and that the chain continues, takes in what does not and flags it. */
  private takeBatch({ source, first, prev, records }: AuditBatch) {
    if (records.length === 0 || records.length > MAX_BATCH_RECORDS) throw new Problem(400, 'audit.batch');
    const known = this.records.get(source) ?? [];
    this.records.set(source, known);
    let [before, duplicates] = [prev, 0];
    records.forEach((record, index) => {
      if (record.seq !== first + index) throw new Problem(400, 'audit.batch');
      const content = { v: 1, chain: source, seq: record.seq, prev: before, entry: record.entry };
      const last = known.at(-1);
      const continues =
        record.seq === 0 ? before === null : last?.seq !== record.seq - 1 || last.hash === before;
      if (sha256(canonicalJson(content)) !== record.hash || !continues) this.flagged.add(source);
      before = record.hash;
      if (known.some(({ seq }) => seq === record.seq)) duplicates += 1;
      else known.push(record);
    });
    this.duplicates += duplicates;
    return { source, acknowledged: known.at(-1)?.seq ?? 0, duplicates, flagged: this.flagged.has(source) };
  }

  private createApproval(body: CreateApproval): Answer {
    const known = this.approvals.get(body.id);
    const view: ApprovalView = known ?? {
      ...body,
      state: 'pending',
      requester: { id: 'u-1', name: 'mira' },
      need: body.approvers.count,
      have: 0,
      decisions: [],
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
    };
    this.approvals.set(body.id, view);
    return { status: 201, body: view };
  }

  private decide(id: string, { decision, reason }: DecideApproval): Answer {
    if (this.approvalOf(id).state !== 'pending') throw new Problem(409, 'approval.closed');
    this.answer(id, 'omar', decision, reason ?? null);
    return { status: 200, body: this.approvalOf(id) };
  }

  private use(id: string, { digest, use }: UseApproval): Answer {
    const view = this.approvalOf(id);
    if (view.digest !== digest) throw new Problem(409, 'approval.digest');
    if (view.state === 'used') {
      if (view.usedBy !== use) throw new Problem(409, 'approval.used');
      return { status: 200, body: view };
    }
    if (view.state !== 'approved') throw new Problem(409, 'approval.not_approved');
    const used = { ...view, state: 'used' as const, usedBy: use };
    this.approvals.set(id, used);
    return { status: 200, body: used };
  }

  private approvalOf(id: string) {
    const found = this.approvals.get(id);
    if (found === undefined) throw new Problem(404, 'approval.unknown');
    return found;
  }

  private readPolicies(id: string, third: string | undefined): Answer {
    if (id === '')
      return {
        status: 200,
        body: { items: [...this.drafts.keys()].map((one) => this.policyView(one)), next: null },
      };
    if (third === 'draft' && this.drafts.has(id)) return { status: 200, body: this.draftView(id) };
    throw new Problem(404, 'policy.unknown');
  }

  private policyView(id: string) {
    return {
      id,
      tier: 'team',
      ref: 'payments',
      activeRevision: null,
      newestRevision: 0,
      draft: this.draftView(id),
      updatedAt: '2026-12-01T00:00:00Z',
    };
  }

  private draftView(id: string) {
    const draft = this.drafts.get(id)!;
    return {
      id,
      text: draft.text,
      etag: String(draft.etag),
      author: 'mira',
      savedAt: '2026-12-01T00:00:00Z',
    };
  }
}

function problem(error: unknown): Answer {
  const { status, code } = error instanceof Problem ? error : new Problem(500, `internal ${String(error)}`);
  return {
    status,
    body: { type: 'about:blank', title: code, status, code, detail: `the server says ${code}` },
  };
}
