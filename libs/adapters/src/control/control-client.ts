import { WrongStackError } from '@wrongstack/contracts';
import type {
  ApprovalView,
  CreateApproval,
  CreateExceptionRequest,
  DecideApproval,
  DraftView,
  ExceptionRequestView,
  Page,
  PolicyView,
  RevisionView,
  RunSummary,
  RunView,
  StartRun,
  UseApproval,
  WhoAmI,
} from '@wrongstack/contracts/wire';
import { MAX_WAIT_SECONDS } from '@wrongstack/contracts/wire';
import type { AgentSession } from './agent-session.js';
import { followEvents, type ServerEvent } from './follow-events.js';
import type { ControlRequest, ControlResponse } from './control-http.js';

/** The routes that a person's commands and a run's approvals use. Answers are read, never signed: nothing here loosens. */
export class ControlClient {
  constructor(private readonly session: AgentSession) {}

  whoAmI(signal: AbortSignal): Promise<WhoAmI> {
    return this.read({ path: 'whoami' }, 'principal', signal);
  }

  createApproval(request: CreateApproval, signal: AbortSignal): Promise<ApprovalView> {
    const headers = { 'idempotency-key': request.id };
    return this.read({ method: 'POST', path: 'approvals', body: request, headers }, 'state', signal);
  }

  /** `waitSeconds`: answers when something changes, at the latest then. */
  approval(id: string, signal: AbortSignal, waitSeconds = 0): Promise<ApprovalView> {
    const wait = Math.min(waitSeconds, MAX_WAIT_SECONDS);
    const request: ControlRequest =
      wait === 0
        ? { path: `approvals/${encodeURIComponent(id)}` }
        : { path: `approvals/${encodeURIComponent(id)}?wait=${wait}`, timeoutMs: (wait + 15) * 1000 };
    return this.read(request, 'state', signal);
  }

  approvals(
    query: { readonly state?: string; readonly mine?: boolean },
    signal: AbortSignal,
  ): Promise<readonly ApprovalView[]> {
    const parameters = new URLSearchParams({
      ...(query.state !== undefined && { state: query.state }),
      ...(query.mine === true && { mine: 'true' }),
    });
    return this.list(`approvals`, parameters, signal);
  }

  decideApproval(id: string, decision: DecideApproval, signal: AbortSignal): Promise<ApprovalView> {
    const path = `approvals/${encodeURIComponent(id)}/decisions`;
    return this.read({ method: 'POST', path, body: decision }, 'state', signal);
  }

  useApproval(id: string, use: UseApproval, signal: AbortSignal): Promise<ApprovalView> {
    const path = `approvals/${encodeURIComponent(id)}/use`;
    const headers = { 'idempotency-key': use.use };
    return this.read({ method: 'POST', path, body: use, headers }, 'state', signal);
  }

  withdrawApproval(id: string, signal: AbortSignal): Promise<ApprovalView> {
    return this.read(
      { method: 'DELETE', path: `approvals/${encodeURIComponent(id)}`, timeoutMs: 3000 },
      'state',
      signal,
    );
  }

  requestException(request: CreateExceptionRequest, signal: AbortSignal): Promise<ExceptionRequestView> {
    const headers = { 'idempotency-key': `exception-${request.decision}` };
    return this.read({ method: 'POST', path: 'exception-requests', body: request, headers }, 'id', signal);
  }

  policies(signal: AbortSignal): Promise<readonly PolicyView[]> {
    return this.list('policies', new URLSearchParams(), signal);
  }

  createPolicy(text: string, key: string, signal: AbortSignal): Promise<PolicyView> {
    const headers = { 'idempotency-key': key };
    return this.read({ method: 'POST', path: 'policies', body: { text }, headers }, 'id', signal);
  }

  draft(id: string, signal: AbortSignal): Promise<DraftView> {
    return this.read({ path: `policies/${encodeURIComponent(id)}/draft` }, 'text', signal);
  }

  /** `etag` null = there is no draft yet. 412 `draft.changed` where somebody else was quicker. */
  saveDraft(id: string, text: string, etag: string | null, signal: AbortSignal): Promise<DraftView> {
    const headers: Record<string, string> =
      etag === null ? { 'if-none-match': '*' } : { 'if-match': `"${etag}"` };
    return this.read(
      { method: 'PUT', path: `policies/${encodeURIComponent(id)}/draft`, body: { text }, headers },
      'etag',
      signal,
    );
  }

  revision(id: string, revision: number, signal: AbortSignal): Promise<RevisionView> {
    return this.read({ path: `policies/${encodeURIComponent(id)}/revisions/${revision}` }, 'text', signal);
  }

  /** `key`: the same again starts nothing new. */
  startRun(request: StartRun, key: string, signal: AbortSignal): Promise<RunView> {
    const headers = { 'idempotency-key': key };
    return this.read({ method: 'POST', path: 'runs', body: request, headers }, 'state', signal);
  }

  runs(
    query: { readonly state?: string; readonly mine: boolean },
    signal: AbortSignal,
  ): Promise<readonly RunSummary[]> {
    const parameters = new URLSearchParams({
      ...(query.state !== undefined && { state: query.state }),
      ...(query.mine && { mine: 'true' }),
    });
    return this.list('runs', parameters, signal, 200);
  }

  run(id: string, signal: AbortSignal): Promise<RunView> {
    return this.read({ path: `runs/${encodeURIComponent(id)}` }, 'state', signal);
  }

  cancelRun(id: string, signal: AbortSignal): Promise<RunView> {
    return this.read({ method: 'DELETE', path: `runs/${encodeURIComponent(id)}` }, 'state', signal);
  }

  /** Until its end, however often the connection breaks. */
  runEvents(id: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    return followEvents(this.session, `runs/${encodeURIComponent(id)}/events`, 'end', signal);
  }

  /** Any route, as the agent. */
  send(request: ControlRequest, signal: AbortSignal): Promise<ControlResponse> {
    return this.session.send(request, signal);
  }

  /** All pages of a list, up to `most` items. */
  async list<T>(
    path: string,
    query: URLSearchParams,
    signal: AbortSignal,
    most = 1000,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    for (let cursor: string | null = null; items.length < most;) {
      const parameters = new URLSearchParams(query);
      parameters.set('limit', '100');
      if (cursor !== null) parameters.set('cursor', cursor);
      const page: Page<T> = await this.read({ path: `${path}?${parameters.toString()}` }, 'items', signal);
      items.push(...page.items);
      cursor = page.next;
      if (cursor === null) break;
    }
    return items.slice(0, most);
  }

  private async read<T extends object>(
    request: ControlRequest,
    member: keyof T & string,
    signal: AbortSignal,
  ): Promise<T> {
    const { body } = await this.session.send(request, signal);
    if (typeof body === 'object' && body !== null && member in body) {
      // What the wire says the route answers; only shown to a person or compared, member by member.
      return body as T;
    }
    throw new WrongStackError(
      'control.bad_answer',
      `the server's answer to ${request.path} has no ${member}`,
    );
  }
}
