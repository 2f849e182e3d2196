import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

type Answer<Operation extends keyof operations, Status extends number> = operations[Operation] extends {
  responses: Record<Status, { content: { 'application/json': infer Body } }>;
}
  ? Body
  : never;

export type Policy = Answer<'policiesShow', 200>;
export type Draft = Answer<'policiesDraft', 200>;
export type Revision = Answer<'policiesRevision', 200>;
export type Comment = Answer<'commentsList', 200>['items'][number];

const PAGE = 100;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export const policyKey = (id: string, ...more: readonly unknown[]): readonly unknown[] => [
  'policies',
  id,
  ...more,
];

export async function policies(cursor: string | undefined, signal: AbortSignal): Promise<Page<Policy>> {
  return body(api.GET('/v1/policies', { params: { query: paged(cursor) }, signal }));
}

export async function policy(id: string, signal: AbortSignal): Promise<Policy> {
  return body(api.GET('/v1/policies/{id}', { params: { path: { id } }, signal }));
}

/** Begins a policy with this text as its draft. `key`: the same for the same attempt, so that a repeated click makes one. */
export async function createPolicy(text: string, key: string): Promise<Policy> {
  return body(api.POST('/v1/policies', { body: { text }, params: { header: { 'Idempotency-Key': key } } }));
}

export async function revisions(
  id: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Revision>> {
  return body(
    api.GET('/v1/policies/{id}/revisions', { params: { path: { id }, query: paged(cursor) }, signal }),
  );
}

export async function revision(id: string, n: number, signal: AbortSignal): Promise<Revision> {
  return body(api.GET('/v1/policies/{id}/revisions/{n}', { params: { path: { id, n } }, signal }));
}

export function paged(cursor: string | undefined): { readonly limit: number; readonly cursor?: string } {
  return { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
}

/** The text in force; empty where nothing is. */
export async function activeText({ id, activeRevision }: Policy, signal: AbortSignal): Promise<string> {
  return activeRevision === null ? '' : (await revision(id, activeRevision, signal)).text;
}
