import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

export type Approval = operations['approvalsShow']['responses'][200]['content']['application/json'];
export type ApprovalState = Approval['state'];
export type Answer = 'approve' | 'reject';

/** How a request ends. */
export const ENDS = [
  'approved',
  'used',
  'rejected',
  'expired',
  'withdrawn',
] as const satisfies readonly ApprovalState[];

/** Nobody reads more at once; whoever has more waiting sees so. */
export const MOST_WAITING = 200;
const PAGE = 50;

export const approvalKey = (id: string): readonly unknown[] => ['approvals', 'one', id];
export const LISTS_KEY = ['approvals', 'list'] as const;
export const WAITING_KEY = [...LISTS_KEY, 'waiting'] as const;
export const PAST_KEY = [...LISTS_KEY, 'past'] as const;

/** The longest wait first: that is who has been held up. */
export async function waiting(signal: AbortSignal): Promise<readonly Approval[]> {
  const query = { state: 'pending', limit: MOST_WAITING } as const;
  const { items } = await body(api.GET('/v1/approvals', { params: { query }, signal }));
  return items.toReversed();
}

/** All, or those that ended like that. */
export async function past(
  state: ApprovalState | null,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Approval[]; readonly next: string | null }> {
  const narrowed = state === null ? {} : { state };
  const query = { limit: PAGE, ...narrowed, ...(cursor === undefined ? {} : { cursor }) };
  return body(api.GET('/v1/approvals', { params: { query }, signal }));
}

export async function approval(id: string, signal: AbortSignal): Promise<Approval> {
  return body(api.GET('/v1/approvals/{id}', { params: { path: { id } }, signal }));
}

export async function answer(id: string, decision: Answer, reason: string | null): Promise<Approval> {
  const words = reason === null ? {} : { reason };
  return body(
    api.POST('/v1/approvals/{id}/decisions', { params: { path: { id } }, body: { decision, ...words } }),
  );
}
