import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

type List = operations['exceptionRequestsList']['responses'][200]['content']['application/json'];
export type ExceptionRequest = List['items'][number];
export type ExceptionState = ExceptionRequest['state'];

export const STATES = ['pending', 'granted', 'refused'] as const satisfies readonly ExceptionState[];
export const LIST_KEY = ['exceptions'] as const;
const PAGE = 100;

/** Newest first: those of this person, or all for those who decide. */
export async function exceptions(
  state: ExceptionState | null,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<List> {
  const narrowed = state === null ? {} : { state };
  const query = { limit: PAGE, ...narrowed, ...(cursor === undefined ? {} : { cursor }) };
  return body(api.GET('/v1/exception-requests', { params: { query }, signal }));
}

interface Answer {
  readonly decision: 'grant' | 'refuse';
  /** ISO 8601; only of a grant. */
  readonly until?: string;
  readonly note: string | null;
}

export async function decide(id: string, { note, ...answer }: Answer): Promise<ExceptionRequest> {
  const params = { path: { id } };
  const words = note === null ? {} : { note };
  return body(api.POST('/v1/exception-requests/{id}/decision', { params, body: { ...answer, ...words } }));
}
