import { api, body } from '../../client/api.js';
import { ProblemError } from '../../client/problem.js';
import { type Draft, policyKey } from './policies.js';

export const draftKey = (id: string): readonly unknown[] => policyKey(id, 'draft');

/** What is being written, or null where nobody is writing anything. */
export async function readDraft(id: string, signal: AbortSignal): Promise<Draft | null> {
  try {
    return await body(api.GET('/v1/policies/{id}/draft', { params: { path: { id } }, signal }));
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null;
    throw error;
  }
}

/** The draft that somebody else saved meanwhile; null = they threw it away. */
export interface SavedMeanwhile {
  readonly current: Pick<Draft, 'text' | 'etag' | 'author' | 'savedAt'> | null;
}

export type Saved = { readonly draft: Draft } | SavedMeanwhile;

/** Saves what was written on top of the draft with this tag; null = on top of none. Never over somebody else's. */
export async function saveDraft(id: string, text: string, etag: string | null): Promise<Saved> {
  const headers = etag === null ? { 'If-None-Match': '*' } : { 'If-Match': quoted(etag) };
  try {
    const draft = await body(
      api.PUT('/v1/policies/{id}/draft', { params: { path: { id } }, body: { text }, headers }),
    );
    return { draft };
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'draft.changed') throw error;
    const { current } = error.more;
    return { current: isDraft(current) ? current : await readDraft(id, new AbortController().signal) };
  }
}

export async function discardDraft(id: string, etag: string): Promise<void> {
  await api.DELETE('/v1/policies/{id}/draft', {
    params: { path: { id }, header: { 'If-Match': quoted(etag) } },
  });
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['text', 'etag', 'author', 'savedAt'].every((name) => typeof Reflect.get(value, name) === 'string')
  );
}

/** The body says the number alone; the header is written with quotes. */
function quoted(etag: string): string {
  return etag.startsWith('"') ? etag : `"${etag}"`;
}
