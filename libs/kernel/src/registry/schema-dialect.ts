import type { JSONSchema } from '@wrongstack/contracts';

export type SchemaDialect = 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

const ONLY_SINCE_2019: ReadonlySet<string> = new Set([
  'dependentRequired',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const ONLY_SINCE_2020: ReadonlySet<string> = new Set(['$dynamicRef', '$dynamicAnchor', 'prefixItems']);

/**
 * Which draft a schema is written in: what `$schema` says, and otherwise the oldest one that knows all of its keywords,
 * because an `items` that is a list means something else since 2020.
 */
export function dialectOf(schema: JSONSchema): SchemaDialect {
  const declared = schema['$schema'];
  if (typeof declared === 'string') {
    if (declared.includes('2020-12')) return '2020-12';
    if (declared.includes('2019-09')) return '2019-09';
    if (declared.includes('draft-06')) return 'draft-06';
    return 'draft-07';
  }
  const keys = new Set<string>();
  collectKeys(schema, keys, 0);
  if ([...ONLY_SINCE_2020].some((key) => keys.has(key))) return '2020-12';
  if ([...ONLY_SINCE_2019].some((key) => keys.has(key))) return '2019-09';
  return 'draft-07';
}

function collectKeys(value: unknown, keys: Set<string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 100) return;
  if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key);
  for (const member of Object.values(value)) collectKeys(member, keys, depth + 1);
}
