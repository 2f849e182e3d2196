import { api, body } from '../../../client/api.js';
import type { operations } from '../../../client/schema.js';
import { paged } from '../policies.js';

export type Replay = operations['replaysGet']['responses'][200]['content']['application/json'];
/** As it is listed: without the teams. */
export type ReplayRow = Omit<Replay, 'flipsByTeam'>;
export type Flip =
  operations['replaysFlips']['responses'][200]['content']['application/json']['items'][number];

export async function replays(id: string, signal: AbortSignal): Promise<readonly ReplayRow[]> {
  const query = { limit: 20 };
  const { items } = await body(
    api.GET('/v1/policies/{id}/replays', { params: { path: { id }, query }, signal }),
  );
  return items;
}

export async function replay(id: string, signal: AbortSignal): Promise<Replay> {
  return body(api.GET('/v1/replays/{id}', { params: { path: { id } }, signal }));
}

/** On the decisions of the last days; the saved draft, or this text. */
export async function startReplay(id: string, days: number, key: string): Promise<ReplayRow> {
  const from = new Date(Date.now() - days * 86_400_000).toISOString();
  return body(
    api.POST('/v1/policies/{id}/replays', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { from },
    }),
  );
}

export async function cancelReplay(id: string): Promise<ReplayRow> {
  return body(api.DELETE('/v1/replays/{id}', { params: { path: { id } } }));
}

export async function flips(
  id: string,
  team: string | null,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Flip[]; readonly next: string | null }> {
  const query = { ...paged(cursor), ...(team === null ? {} : { team }) };
  return body(api.GET('/v1/replays/{id}/flips', { params: { path: { id }, query }, signal }));
}

export function isOver({ state }: Pick<Replay, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}
