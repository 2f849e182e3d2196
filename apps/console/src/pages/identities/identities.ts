import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

type Body<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } };
}
  ? Answer
  : never;
type Sent<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { 'application/json': infer Request } };
}
  ? Request
  : never;

export type Token = Body<'tokensList'>['items'][number];
export type NewToken = Sent<'tokensIssue'>;
export type User = Body<'identitiesUsers'>['items'][number];
export type UserChange = Sent<'identitiesChangeUser'>;
export type Agent = Body<'agentsList'>['items'][number];
export type Settings = Body<'identitiesSettings'>;
export type Mappings = Body<'identitiesGroups'>;
export type Role = UserChange['roles'][number];

export const ROLES: readonly Role[] = ['admin', 'policyEditor', 'approver', 'auditor', 'developer', 'agent'];

const PAGE = 100;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** What was read, and the tag that a change of it must name. */
export interface Tagged<Value> {
  readonly value: Value;
  readonly etag: string;
}

export async function tokens(cursor: string | undefined, signal: AbortSignal): Promise<Page<Token>> {
  return body(api.GET('/v1/tokens', { params: { query: paged(cursor) }, signal }));
}

/** The token itself is in this answer, and never again anywhere. */
export async function issueToken(request: NewToken, key: string) {
  return body(api.POST('/v1/tokens', { body: request, params: { header: { 'Idempotency-Key': key } } }));
}

export async function revokeToken(id: string): Promise<void> {
  await api.DELETE('/v1/tokens/{id}', { params: { path: { id } } });
}

export async function users(cursor: string | undefined, signal: AbortSignal): Promise<Page<User>> {
  return body(api.GET('/v1/users', { params: { query: paged(cursor) }, signal }));
}

/** `etag` 0 = a person who is not known yet. */
export async function changeUser(id: string, change: UserChange, etag: number): Promise<User> {
  const params = { path: { id }, header: { 'If-Match': `"${etag}"` } };
  return body(api.PUT('/v1/users/{id}', { params, body: change }));
}

export async function agents(cursor: string | undefined, signal: AbortSignal): Promise<Page<Agent>> {
  return body(api.GET('/v1/agents', { params: { query: paged(cursor) }, signal }));
}

export async function revokeAgent(id: string): Promise<void> {
  await api.DELETE('/v1/agents/{id}', { params: { path: { id } } });
}

/** From the table that every route asks. */
export async function roles(signal: AbortSignal): Promise<Body<'identitiesRoles'>['roles']> {
  return (await body(api.GET('/v1/roles', { signal }))).roles;
}

export async function mappings(signal: AbortSignal): Promise<Tagged<Mappings>> {
  return tagged(await api.GET('/v1/group-mappings', { signal }));
}

export async function changeMappings(change: Mappings, etag: string): Promise<void> {
  await api.PUT('/v1/group-mappings', { params: { header: { 'If-Match': etag } }, body: change });
}

export async function settings(signal: AbortSignal): Promise<Tagged<Settings>> {
  return tagged(await api.GET('/v1/settings', { signal }));
}

export async function changeSettings(change: Settings, etag: string): Promise<void> {
  await api.PUT('/v1/settings', { params: { header: { 'If-Match': etag } }, body: change });
}

function tagged<Value>({ data, response }: { data?: Value; response: Response }): Tagged<Value> {
  // Errors were thrown, so there is a body.
  return { value: data as Value, etag: response.headers.get('etag') ?? '' };
}

function paged(cursor: string | undefined): { readonly limit: number; readonly cursor?: string } {
  return { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
}
