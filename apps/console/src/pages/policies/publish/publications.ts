import { api, body } from '../../../client/api.js';
import type { Revision } from '../policies.js';

export interface Rollout {
  readonly teams: readonly string[];
  readonly percent: number;
}

/** Publishes the saved draft. `expectedRevision`: the newest that this page knows; another one in between is a refusal. */
export async function publish(
  id: string,
  {
    expectedRevision,
    note,
    rollout,
  }: { expectedRevision: number; note: string | null; rollout: Rollout | null },
  key: string,
): Promise<Revision> {
  return body(
    api.POST('/v1/policies/{id}/publications', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: {
        expectedRevision,
        ...(note === null ? {} : { note }),
        ...(rollout === null ? {} : { rollout: { ...plain(rollout), salt: '' } }),
      },
    }),
  );
}

export async function rollBack(
  id: string,
  request: { readonly to: number; readonly expectedRevision: number; readonly note: string },
): Promise<Revision> {
  return body(
    api.POST('/v1/policies/{id}/rollback', {
      // One way back from each state of the policy: a repeated click is the same one.
      params: {
        path: { id },
        header: { 'Idempotency-Key': `console.${id}.${request.expectedRevision}.${request.to}` },
      },
      body: request,
    }),
  );
}

export async function approveRevision(id: string, n: number, because: string | null): Promise<Revision> {
  const params = { path: { id, n } };
  return body(
    api.POST('/v1/policies/{id}/revisions/{n}/approve', {
      params,
      body: because === null ? {} : { because },
    }),
  );
}

export async function rejectRevision(id: string, n: number, because: string): Promise<Revision> {
  return body(
    api.POST('/v1/policies/{id}/revisions/{n}/reject', { params: { path: { id, n } }, body: { because } }),
  );
}

/** Null = to everybody. */
export async function advanceRevision(id: string, n: number, rollout: Rollout | null): Promise<Revision> {
  return body(
    api.POST('/v1/policies/{id}/revisions/{n}/advance', {
      params: { path: { id, n } },
      body: { rollout: rollout === null ? null : plain(rollout) },
    }),
  );
}

export async function haltRevision(id: string, n: number, because: string): Promise<Revision> {
  return body(
    api.POST('/v1/policies/{id}/revisions/{n}/halt', { params: { path: { id, n } }, body: { because } }),
  );
}

function plain({ teams, percent }: Rollout): { teams: string[]; percent: number } {
  return { teams: [...teams], percent };
}
