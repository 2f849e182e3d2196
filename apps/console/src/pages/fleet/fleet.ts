import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

export type Drift = operations['fleetDrift']['responses'][200]['content']['application/json'];
export type Machine = Drift['items'][number];
export type Reason = NonNullable<NonNullable<operations['fleetDrift']['parameters']['query']>['reason']>;
type Query = NonNullable<operations['fleetList']['parameters']['query']>;
export type PolicyState = NonNullable<Query['state']>;

const PAGE = 100;

export const fleetKey = (filters: object): readonly unknown[] => ['fleet', 'machines', filters];

export interface FleetFilters {
  readonly reason?: string;
  readonly state?: string;
  readonly version?: string;
  readonly team?: string;
}

/** Machines that are not as they should be for a reason, or those of a state, a version or a team. */
export async function machines(
  { reason, state, version, team }: FleetFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Machine[]; readonly next: string | null }> {
  const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  if (reason !== undefined)
    // What an address names is checked by the API, which says what it knows.
    return body(
      api.GET('/v1/fleet/drift', { params: { query: { ...page, reason: reason as Reason } }, signal }),
    );
  const query = {
    ...page,
    ...(state === undefined ? {} : { state: state as PolicyState }),
    ...(version === undefined ? {} : { version }),
    ...(team === undefined ? {} : { team }),
  };
  return body(api.GET('/v1/fleet', { params: { query }, signal }));
}

export async function driftCounts(signal: AbortSignal): Promise<Drift> {
  return body(api.GET('/v1/fleet/drift', { params: { query: { limit: 1 } }, signal }));
}

const WORDS: Readonly<Record<Machine['drift'][number], string>> = {
  behind: 'behind',
  silent: 'silent',
  state: 'policy not fresh',
  refused: 'refuses the bundle',
  clock: 'clock off',
};

export function driftWord(drift: Machine['drift'][number]): string {
  return WORDS[drift];
}
