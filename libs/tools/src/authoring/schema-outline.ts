import type { JSONSchema } from '@wrongstack/contracts';

/**
 * Whether logged arguments still look like what a raw JSON Schema asks for: an object, its required members, and the
 * types of its members. For display only, where a whole validator would be too heavy; the executor runs one.
 */
export function fitsOutline(schema: JSONSchema, args: unknown): boolean {
  if (schema.type !== 'object' && schema.properties === undefined) return true;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false;
  const { required = [], properties = {} } = schema;
  if (required.some((name) => !Object.hasOwn(args, name))) return false;
  return Object.entries(properties).every(([name, member]) => {
    if (!Object.hasOwn(args, name)) return true;
    const value: unknown = Reflect.get(args, name);
    return value === undefined || isOfType(member.type, value);
  });
}

function isOfType(type: JSONSchema['type'], value: unknown): boolean {
  if (type === undefined) return true;
  if (typeof type !== 'string') return type.some((one) => isOfType(one, value));
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
