import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalId,
  type ApprovalRequest as Question,
  isoNow,
  newId,
} from '@wrongstack/contracts';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import type { CreateApproval as CreateBody, UseApproval as UseBody } from '@wrongstack/contracts/wire';
import { approvalBody } from '@wrongstack/adapters/control';
import { auditIdentityOf, type Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { PeoplesNames } from './approval-views.js';
import type { ApprovalWatch } from './approval-watch.js';

/** What is done to requests; each is a command with its record in the audit chain. */
export interface ApprovalActions {
  create(by: Principal, body: CreateBody): Promise<ApprovalRequest>;
  use(by: Principal, id: string, body: UseBody): Promise<ApprovalRequest>;
  withdraw(by: Principal, id: string): Promise<ApprovalRequest>;
}

export interface ServerApprovalsParts {
  readonly control: Pick<ControlPlane, 'store' | 'clock'>;
  readonly watch: Pick<ApprovalWatch, 'next' | 'stopped'>;
  readonly actions: ApprovalActions;
  /** Masks secrets in what people see. */
  readonly scrub: (text: string) => string;
  /** There is a request, or one more has said yes. */
  readonly onProgress: (question: Question, request: ApprovalRequest) => void;
}

const LOOK_AGAIN_MS = 60_000;
const MOST_OLD = 20;

/**
 * Asks people about a call that this server runs for somebody. Requests are found by what they ask for, in the store: so whichever process
 * the call is repeated in, a yes counts, once, and a no stands for as long as the question would have.
 */
export class ServerApprovals extends ApprovalChannel {
  readonly #by: Principal;

  /** `waits`: for the answer; else the call is parked. */
  constructor(
    private readonly parts: ServerApprovalsParts,
    caller: Principal,
    private readonly waits: boolean,
  ) {
    super();
    // Asking follows from calling: a token for calls alone asks as well.
    this.#by = { ...caller, scopes: null };
  }

  override async ask(question: Question, signal: AbortSignal): Promise<ApprovalAnswer> {
    const request = (await this.#asked(question)) ?? (await this.#create(question));
    this.parts.onProgress(question, request);
    const settled = this.waits ? await this.#settled(question, request, signal) : request;
    return this.#answerOf(settled);
  }

  /** What was asked before for exactly this and still stands. */
  async #asked(question: Question): Promise<ApprovalRequest | null> {
    const { store, clock } = this.parts.control;
    const { user: requester } = this.#by;
    const { agent } = auditIdentityOf(this.#by);
    const digest = question.decision.approvalDigest;
    const now = isoNow(clock);
    const { items } = await store.approvals.list({ requester, digest }, { limit: MOST_OLD }, now);
    const [newest] = items.filter((one) => one.agent === agent);
    if (newest === undefined || newest.expiresAt <= now) return null;
    return ['pending', 'approved', 'rejected'].includes(newest.state.is) ? newest : null;
  }

  #create(question: Question): Promise<ApprovalRequest> {
    return this.parts.actions.create(this.#by, approvalBody(question, question.id, this.parts.scrub));
  }

  async #settled(question: Question, first: ApprovalRequest, signal: AbortSignal): Promise<ApprovalRequest> {
    const { control, watch, actions, onProgress } = this.parts;
    let request = first;
    while (request.state.is === 'pending' && !watch.stopped) {
      await watch.next(LOOK_AGAIN_MS, signal);
      if (signal.aborted) {
        await actions.withdraw(this.#by, request.id).catch(() => undefined);
        throw signal.reason;
      }
      const now = await control.store.approvals.get(request.id, isoNow(control.clock));
      if (now === null) throw new Error(`approval ${request.id} is gone`);
      if (now.etag !== request.etag) onProgress(question, now);
      request = now;
    }
    return request;
  }

  async #answerOf(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { id, state, answers, digest, expiresAt } = request;
    switch (state.is) {
      case 'pending':
        return { kind: 'parked', approval: id as ApprovalId, expiresAt };
      case 'approved': {
        const used = await this.parts.actions.use(this.#by, id, { digest, use: newId('CallId') });
        return { kind: 'approved', by: await this.#names(used, 'approve') };
      }
      case 'rejected': {
        const note = answers.find(({ answer }) => answer === 'reject')?.note ?? null;
        const [who = 'an approver'] = await this.#names(request, 'reject');
        return { kind: 'no', reason: note === null ? who : `${who}: ${note}` };
      }
      case 'expired':
      case 'withdrawn':
      case 'used':
        return { kind: 'no', reason: `the request ${id} is ${state.is}` };
    }
  }

  #names({ answers }: ApprovalRequest, wanted: 'approve' | 'reject'): Promise<string[]> {
    const names = new PeoplesNames(this.parts.control.store);
    const given = answers.filter(({ answer }) => answer === wanted);
    return Promise.all(given.map(({ by }) => names.of(by)));
  }
}
