import { api, body } from '../../client/api.js';
import type { ExplanationView } from '../../parts/explanation.js';
import type { operations } from '../../client/schema.js';

type Search = NonNullable<operations['auditSearch']['parameters']['query']>;
export type AuditRecord = operations['auditRecord']['responses'][200]['content']['application/json'];
export type AuditRow =
  operations['auditRows']['responses'][200]['content']['application/json']['items'][number];
export type Facets = operations['auditFacets']['responses'][200]['content']['application/json'];

/** What records can be narrowed down by, as the address has it. */
export const FILTERS = [
  'verdict',
  'kind',
  'tool',
  'actor',
  'team',
  'rule',
  'document',
  'session',
  'agent',
  'from',
  'to',
  'flagged',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Partial<Record<FilterName, string>>;

const PAGE = 500;

/** As the API takes it. What an address names wrongly, the API names. */
export function searchOf({ flagged, ...texts }: Filters): Search {
  // Texts of an address: the API checks each against its schema, and says what it knows.
  return { ...(texts as Search), ...(flagged === undefined ? {} : { flagged: flagged === 'true' }) };
}

export async function rows(
  filters: Filters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly items: readonly AuditRow[]; readonly next: string | null }> {
  const query = { ...searchOf(filters), limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
  return body(api.GET('/v1/audit/rows', { params: { query }, signal }));
}

export async function record(seq: number, signal: AbortSignal): Promise<AuditRecord> {
  return body(api.GET('/v1/audit/records/{seq}', { params: { path: { seq } }, signal }));
}

export async function explanation(seq: number, signal: AbortSignal): Promise<ExplanationView> {
  return body(api.GET('/v1/audit/records/{seq}/explanation', { params: { path: { seq } }, signal }));
}

export async function facets(filters: Filters, signal: AbortSignal): Promise<Facets> {
  return body(api.GET('/v1/audit/facets', { params: { query: searchOf(filters) }, signal }));
}

/** Where a browser fetches the records of a search as a file. */
export function exportAddress(filters: Filters, format: 'jsonl' | 'csv'): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return `/v1/audit/export?${new URLSearchParams([...given, ['format', format]]).toString()}`;
}
