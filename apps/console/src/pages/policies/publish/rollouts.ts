import { api, body } from '../../../client/api.js';
import type { operations } from '../../../client/schema.js';

export type Rollout = operations['rolloutsShow']['responses'][200]['content']['application/json'];

export async function rollout(id: string, n: number, signal: AbortSignal): Promise<Rollout> {
  return body(api.GET('/v1/policies/{id}/revisions/{n}/rollout', { params: { path: { id, n } }, signal }));
}

export function eventsOf(id: string, n: number): string {
  return `/v1/policies/${encodeURIComponent(id)}/revisions/${n}/rollout/events`;
}

/** Percent of the calls that were denied. */
export function deniedShare({ decided, denied }: Rollout['now']['staged']): number {
  return decided === 0 ? 0 : (100 * denied) / decided;
}
