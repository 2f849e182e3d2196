import type { ApprovalRequest, ControlPorts } from '@wrongstack/contracts/control';
import { type ApprovalView, approvalViewSchema, parts } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ApiProblem } from '../errors/api-problem.js';
import type { Schema } from '../http/route-contract.js';
import { mayDecide } from './may-decide.js';

export function unknownApproval(): ApiProblem {
  return new ApiProblem(404, 'approval.unknown', 'there is no such request');
}

/** Grows with each change; what has run out is another thing than what waited, though nobody wrote it down yet. */
export function approvalTag({ etag, state }: ApprovalRequest): string {
  return `"${etag}-${state.is}"`;
}

/** Names of people for views. Asked once a person. */
export class PeoplesNames {
  readonly #known = new Map<string, Promise<string>>();

  constructor(private readonly store: Pick<ControlPorts, 'identities'>) {}

  of(id: string): Promise<string> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    // Services and people who were removed are shown by their id.
    const name = this.store.identities.user(id).then((user) => user?.name ?? id);
    this.#known.set(id, name);
    return name;
  }
}

/** A request as one caller sees it. */
export interface ShownApproval extends ApprovalView {
  readonly mayDecide: boolean;
}

export const SHOWN_APPROVAL: Schema = parts.and(approvalViewSchema, {
  mayDecide: { ...parts.flag, description: 'Whether your answer would be taken.' },
});

export async function approvalView(
  request: ApprovalRequest,
  names: PeoplesNames,
  caller: Principal,
): Promise<ShownApproval> {
  const { rule, asks, needed, from, excludeRequester, answers, state } = request;
  const { id, digest, decision, session, tool, title, because, ttlMinutes, createdAt, expiresAt } = request;
  return {
    ...{ id, kind: asks, digest, decision, session, tool, title, because, ttlMinutes },
    rule: rule?.id ?? null,
    document: rule?.document ?? null,
    revision: rule?.revision ?? null,
    view: objectOf(request.view),
    facts: request.facts,
    approvers: { count: needed, from, excludeRequester },
    state: state.is,
    requester: { id: request.requester, name: await names.of(request.requester) },
    need: needed,
    have: answers.filter(({ answer }) => answer === 'approve').length,
    decisions: await Promise.all(
      answers.map(async ({ by, answer, note, at }) => ({
        by: await names.of(by),
        decision: answer,
        reason: note,
        at,
      })),
    ),
    ...{ createdAt, expiresAt },
    mayDecide: mayDecide(caller, request),
  };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
