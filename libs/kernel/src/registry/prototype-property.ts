const PROTOTYPE = '__proto__';

/**
 * ajv passes over a property schema named `__proto__`, so that what an author declared there would go unchecked. Said as
 * a pattern it is checked like any other. Returns the schema itself where nothing is to be said differently.
 */
export function withCheckedPrototypeProperty<T>(schema: T, schemaText: string): T {
  return schemaText.includes(JSON.stringify(PROTOTYPE)) ? (rewrite(schema, 0) as T) : schema;
}

function rewrite(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > 100) return value;
  if (Array.isArray(value)) return value.map((item) => rewrite(item, depth + 1));
  const copy = Object.fromEntries(
    // fromEntries defines own members, also one with this name.
    Object.entries(value).map(([key, member]) => [key, rewrite(member, depth + 1)]),
  );
  const properties: unknown = copy['properties'];
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, PROTOTYPE))
    return copy;
  const { others, own } = split(properties);
  const patterns: unknown = copy['patternProperties'];
  return {
    ...copy,
    properties: others,
    patternProperties: {
      ...(typeof patterns === 'object' && patterns),
      [`^${PROTOTYPE}$`]: own,
    },
  };
}

function split(properties: object): { readonly others: object; readonly own: unknown } {
  const entries = Object.entries(properties);
  return {
    others: Object.fromEntries(entries.filter(([key]) => key !== PROTOTYPE)),
    own: entries.find(([key]) => key === PROTOTYPE)?.[1],
  };
}
