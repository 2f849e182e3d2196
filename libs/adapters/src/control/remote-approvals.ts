import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApprovalChannel,
  codeOf,
  newId,
  WrongStackError,
  type ApprovalAnswer,
  type ApprovalId,
  type ApprovalRequest,
} from '@wrongstack/contracts';
import type { ApprovalView, CreateApproval } from '@wrongstack/contracts/wire';
import { MAX_WAIT_SECONDS } from '@wrongstack/contracts/wire';
import { FileLock } from '../files/file-lock.js';
import { ensurePrivateFolder } from '../files/private-files.js';
import { isUnreachable } from './audit-shipper.js';
import type { ControlClient } from './control-client.js';
import { PendingApprovals, type PendingApproval } from './pending-approvals.js';

export interface RemoteApprovalsOptions {
  readonly client: Pick<ControlClient, 'createApproval' | 'approval' | 'useApproval' | 'withdrawApproval'>;
  /** Where requests are remembered until they were used. */
  readonly folder: string;
  /** Masks secrets in what the approvers see. */
  readonly scrub: (text: string) => string;
  /** True: stay and wait. False: the call is parked. Asked for each request. */
  readonly waits: () => boolean;
  /** Each new count of yeses while it waits. */
  readonly onProgress?: (request: ApprovalRequest, view: ApprovalView) => void;
}

const RETRY_MS = 5_000;

/** Asks people elsewhere, through the server. A yes is used up there before the call runs, once, for exactly this digest. */
export class RemoteApprovals extends ApprovalChannel {
  private readonly pending: PendingApprovals;

  constructor(private readonly options: RemoteApprovalsOptions) {
    super();
    this.pending = new PendingApprovals(options.folder);
  }

  override async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const digest = request.decision.approvalDigest;
    await ensurePrivateFolder(this.options.folder);
    // Two processes that resume the same call: one of them uses the yes, the other asks again.
    const attempt = await FileLock.take(this.pending.lockFile(digest), 1_000);
    if (!attempt.taken) {
      throw new WrongStackError(
        'approval.busy',
        'another process waits for the answer to the very same call',
      );
    }
    try {
      return await this.settle(request, await this.open(request, signal), signal);
    } finally {
      attempt.lock.release();
    }
  }

  /** What was asked before for this digest and still stands, or a new request. */
  private async open(
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<{ readonly mine: PendingApproval; readonly view: ApprovalView }> {
    const digest = request.decision.approvalDigest;
    const known = await this.pending.get(digest);
    if (known !== null) {
      const view = await this.viewOf(known, signal);
      const usable =
        view !== null &&
        view.digest === digest &&
        (view.state === 'pending' || view.state === 'approved' || view.state === 'used');
      if (usable) return { mine: known, view };
      await this.pending.remove(digest);
      // Somebody has said no to exactly this: the person hears it, and may ask again afterwards.
      if (view?.state === 'rejected') return { mine: known, view };
    }
    const mine: PendingApproval = {
      digest,
      approval: known === null ? request.id : newId('ApprovalId'),
      use: `use-${randomBytes(12).toString('hex')}`,
      expiresAt: null,
    };
    await this.pending.put(mine);
    try {
      const view = await this.options.client.createApproval(
        approvalBody(request, mine.approval, this.options.scrub),
        signal,
      );
      await this.pending.put({ ...mine, expiresAt: view.expiresAt });
      return { mine, view };
    } catch (error) {
      // A request that may have arrived is kept, so that it is found again; one that was refused is not.
      if (!isUnreachable(error)) await this.pending.remove(digest);
      throw error;
    }
  }

  private async viewOf({ approval }: PendingApproval, signal: AbortSignal): Promise<ApprovalView | null> {
    try {
      return await this.options.client.approval(approval, signal);
    } catch (error) {
      if (error instanceof WrongStackError && 'status' in error && error.status === 404) return null;
      throw error;
    }
  }

  private async settle(
    request: ApprovalRequest,
    { mine, view: first }: { readonly mine: PendingApproval; readonly view: ApprovalView },
    signal: AbortSignal,
  ): Promise<ApprovalAnswer> {
    let view = first;
    this.options.onProgress?.(request, view);
    while (view.state === 'pending') {
      if (!this.options.waits()) {
        // The id as people see it on the server.
        return { kind: 'parked', approval: view.id as ApprovalId, expiresAt: view.expiresAt };
      }
      view = await this.wait(view, mine, signal);
      this.options.onProgress?.(request, view);
    }
    switch (view.state) {
      case 'approved':
      case 'used':
        return this.use(view, mine, signal);
      case 'rejected': {
        await this.pending.remove(mine.digest);
        const no = view.decisions.find(({ decision }) => decision === 'reject');
        return {
          kind: 'no',
          reason: `${no?.by ?? 'an approver'}${no?.reason == null ? '' : `: ${no.reason}`}`,
        };
      }
      case 'expired':
      case 'withdrawn':
        await this.pending.remove(mine.digest);
        return {
          kind: 'no',
          reason: `the request ${view.id} has ${view.state === 'expired' ? 'expired' : 'been withdrawn'}`,
        };
    }
  }

  /** Longer than any network stays up: what breaks meanwhile is tried again, and only the person or an answer ends it. */
  private async wait(view: ApprovalView, mine: PendingApproval, signal: AbortSignal): Promise<ApprovalView> {
    const aborted = (): boolean => signal.aborted;
    try {
      return await this.options.client.approval(view.id, signal, MAX_WAIT_SECONDS);
    } catch (error) {
      if (aborted()) {
        await this.withdraw(view.id, mine);
        throw signal.reason;
      }
      if (!isUnreachable(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      return view;
    }
  }

  /** Said to the server where it can be reached; forgotten here in any case. */
  private async withdraw(id: string, { digest }: PendingApproval): Promise<void> {
    await this.pending.remove(digest);
    await this.options.client.withdrawApproval(id, AbortSignal.timeout(3_000)).catch(() => undefined);
  }

  private async use(view: ApprovalView, mine: PendingApproval, signal: AbortSignal): Promise<ApprovalAnswer> {
    try {
      const used = await this.options.client.useApproval(
        view.id,
        { digest: mine.digest, use: mine.use },
        signal,
      );
      if (used.state !== 'used' || used.digest !== mine.digest) {
        throw new WrongStackError(
          'control.bad_answer',
          `approval ${view.id} was not used: the server says ${used.state}`,
        );
      }
      // Forgotten before the call runs: after a crash it is asked for anew rather than run twice.
      await this.pending.remove(mine.digest);
      return {
        kind: 'approved',
        by: used.decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by),
      };
    } catch (error) {
      if (!isUnreachable(error) && !signal.aborted) await this.pending.remove(mine.digest);
      if (codeOf(error) === 'approval.used')
        return { kind: 'no', reason: `approval ${view.id} has been used already` };
      throw error;
    }
  }
}

/** A question as the server keeps it and shows it to people; secrets are masked. */
export function approvalBody(
  request: ApprovalRequest,
  id: string,
  scrub: (text: string) => string,
): CreateApproval {
  const { call, decision, view, approvers } = request;
  const { by } = decision;
  return {
    id,
    // What a rule demanded of others; everything else is a question for somebody who can confirm.
    kind: decision.demanded === 'approve' ? 'approve' : 'confirm',
    digest: decision.approvalDigest,
    decision: decision.id,
    session: null,
    tool: call.tool.name,
    title: scrub(titleOf(request)).slice(0, 4000),
    rule: by.kind === 'rule' ? by.id : null,
    document: by.document ?? null,
    revision: by.revision ?? null,
    because: decision.because.slice(0, 4000),
    view: scrubbed(view, scrub),
    facts: decision.facts,
    approvers: {
      count: approvers?.count ?? 1,
      from: approvers?.from ?? [],
      excludeRequester: approvers?.excludeRequester ?? decision.demanded === 'approve',
    },
    ttlMinutes: approvers?.ttlMinutes ?? null,
  };
}

function titleOf({ call, decision, view }: ApprovalRequest): string {
  const { command } = decision.facts;
  if (command !== null && command !== 'unknown') return `${call.tool.name} ${command.text}`;
  return view.title.startsWith(call.tool.name) ? view.title : `${call.tool.name} ${view.title}`;
}

/** Every text of it; keys are ours. */
function scrubbed(value: object, scrub: (text: string) => string): object {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? scrub(member) : member,
  );
  const copy: unknown = JSON.parse(text);
  return typeof copy === 'object' && copy !== null ? copy : {};
}
