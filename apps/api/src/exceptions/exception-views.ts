import type { ExceptionRequest } from '@wrongstack/contracts/control';
import type { ExceptionRequestView } from '@wrongstack/contracts/wire';
import type { PeoplesNames } from '../approvals/approval-views.js';
import { ApiProblem } from '../errors/api-problem.js';

export function unknownException(): ApiProblem {
  return new ApiProblem(404, 'exception.unknown', 'there is no such request');
}

export async function exceptionView(
  request: ExceptionRequest,
  names: PeoplesNames,
): Promise<ExceptionRequestView> {
  const { id, decision, tool, title, digest, rule, facts, reason, wantedUntil, createdAt, state } = request;
  return {
    ...{ id, decision, tool, title, digest, reason, wantedUntil, createdAt },
    rule: rule.id,
    document: rule.document,
    revision: rule.revision,
    facts: facts ?? {},
    state: state.is,
    requester: { id: request.requester, name: await names.of(request.requester) },
    decided:
      state.is === 'pending'
        ? null
        : { by: await names.of(state.by), at: state.at, note: state.note, published: state.published },
  };
}
