const FORBIDDEN = ['__proto__', 'constructor', 'prototype'] as const;

/**
 * Path of the first own key that could reach an object's prototype (`/options/__proto__`), or undefined. Checked before
 * a schema is: a validator that walks such a key may already have been fooled.
 * `constructor` and `prototype` are refused only where they hold an object; as plain data words they are harmless.
 * `declared` are the ones that a schema names itself: those it checks like any other.
 */
export function findForbiddenKey(
  value: unknown,
  declared: readonly string[] = [],
  path = '',
  depth = 0,
): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > 100) return `${path} (nested deeper than 100 levels)`;
  for (const key of Object.getOwnPropertyNames(value)) {
    // Own properties of unknown input: the index is what getOwnPropertyNames listed.
    const member: unknown = Reflect.get(value, key);
    const dangerous =
      key === '__proto__' || (isForbidden(key) && typeof member === 'object' && member !== null);
    if (dangerous && !declared.includes(key)) return `${path}/${key}`;
    const found = findForbiddenKey(member, declared, `${path}/${key}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Keys of that kind that a schema mentions. */
export function forbiddenKeysNamedBy(schemaText: string): readonly string[] {
  return FORBIDDEN.filter((key) => schemaText.includes(JSON.stringify(key)));
}

function isForbidden(key: string): boolean {
  return (FORBIDDEN as readonly string[]).includes(key);
}
