import { api, body } from '../../../client/api.js';
import { type Comment, paged } from '../policies.js';

export async function comments(
  id: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Comment[]; readonly next: string | null }> {
  return body(
    api.GET('/v1/policies/{id}/comments', { params: { path: { id }, query: paged(cursor) }, signal }),
  );
}

export async function addComment(id: string, text: string, key: string): Promise<Comment> {
  return body(
    api.POST('/v1/policies/{id}/comments', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { text },
    }),
  );
}
