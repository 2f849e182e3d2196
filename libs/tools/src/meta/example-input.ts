import type { JSONSchema } from '@wrongstack/contracts';

const DEEPEST = 4;

/** An input that shows the form: the schema's own example where it has one, else its required fields with placeholders. */
export function exampleInput(schema: JSONSchema): unknown {
  return exampleOf(schema, 'value', 0);
}

function exampleOf(given: unknown, name: string, depth: number): unknown {
  if (typeof given !== 'object' || given === null) return `<${name}>`;
  // An object that is not null has string keys; a schema of a stranger may hold anything under them.
  const schema = given as Readonly<Record<string, unknown>>;
  const { examples, enum: choices } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(choices) && choices.length > 0) return choices[0] as unknown;
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'object':
      return depth >= DEEPEST ? {} : objectExample(schema, depth);
    case 'array':
      return depth >= DEEPEST ? [] : [exampleOf(schema['items'], name, depth + 1)];
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return `<${name}>`;
  }
}

function objectExample(schema: Readonly<Record<string, unknown>>, depth: number): unknown {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = schema['properties'];
  return Object.fromEntries(
    required.flatMap((key): readonly (readonly [string, unknown])[] => {
      if (typeof key !== 'string') return [];
      const own: unknown =
        typeof properties === 'object' && properties !== null && Object.hasOwn(properties, key)
          ? Reflect.get(properties, key)
          : undefined;
      return [[key, exampleOf(own, key, depth + 1)]];
    }),
  );
}
