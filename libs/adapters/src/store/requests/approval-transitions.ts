import type {
  AnswerOutcome,
  ApprovalAnswer,
  ApprovalRequest,
  ApprovalState,
  UseOutcome,
} from '@wrongstack/contracts/control';

/**
 * What a request becomes. Pure: the store writes the result where nobody was faster, and asks again otherwise.
 */
export type Transition<Refused> =
  | { readonly move: { readonly state: ApprovalState; readonly answers: readonly ApprovalAnswer[] } }
  | { readonly refuse: Refused };

type AnswerRefused = Exclude<Extract<AnswerOutcome, { ok: false }>['reason'], 'unknown'>;
type UseRefused = Exclude<Extract<UseOutcome, { ok: false }>['reason'], 'unknown'>;

/** As of a time: past its end, what could still be answered or used is over. */
export function asOf(request: ApprovalRequest, at: string): ApprovalRequest {
  const { state, expiresAt } = request;
  const isOpen = state.is === 'pending' || state.is === 'approved';
  return isOpen && expiresAt <= at ? { ...request, state: { is: 'expired', at: expiresAt } } : request;
}

export function answered(request: ApprovalRequest, answer: ApprovalAnswer): Transition<AnswerRefused> {
  const refused = notPending(request);
  if (refused !== null) return { refuse: refused };
  if (request.excludeRequester && answer.by === request.requester) return { refuse: 'own-request' };
  if (request.answers.some(({ by }) => by === answer.by)) return { refuse: 'already-answered' };
  const answers = [...request.answers, answer];
  if (answer.answer === 'reject') {
    return { move: { answers, state: { is: 'rejected', at: answer.at, by: answer.by } } };
  }
  // Every answer so far is a yes: the first no would have ended it.
  const enough = answers.length >= request.needed;
  return { move: { answers, state: enough ? { is: 'approved', at: answer.at } : request.state } };
}

/** An approved one can be taken back too, as long as it was not used. */
export function withdrawn(request: ApprovalRequest, by: string, at: string): Transition<AnswerRefused> {
  const refused = request.state.is === 'approved' ? null : notPending(request);
  if (refused !== null) return { refuse: refused };
  return { move: { answers: request.answers, state: { is: 'withdrawn', at, by } } };
}

export function used(
  request: ApprovalRequest,
  digest: string,
  by: string,
  at: string,
): Transition<UseRefused> {
  if (request.digest !== digest) return { refuse: 'other-digest' };
  if (request.state.is === 'used') return { refuse: 'already-used' };
  if (request.state.is === 'expired') return { refuse: 'expired' };
  if (request.state.is !== 'approved') return { refuse: 'not-approved' };
  return { move: { answers: request.answers, state: { is: 'used', at, by } } };
}

function notPending({ state }: ApprovalRequest): 'expired' | 'not-pending' | null {
  if (state.is === 'expired') return 'expired';
  return state.is === 'pending' ? null : 'not-pending';
}
