import type { JSONSchema } from '@wrongstack/contracts';
import { CONFIG_SCHEMA } from './config-schema.js';

export interface ConfigField {
  /** `provider.baseUrl`; `tools.<name>.permission` for members by name. */
  readonly key: string;
  readonly type: string;
  readonly description: string;
}

/** Every setting with its type and meaning, for the generated documentation and `wstack config`. */
export function configFields(schema: JSONSchema = CONFIG_SCHEMA, prefix = ''): readonly ConfigField[] {
  const fields: ConfigField[] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const inner = [...configFields(member, key), ...configFields(membersByName(member), `${key}.<name>`)];
    if (inner.length === 0) fields.push({ key, type: typeOf(member), description: member.description ?? '' });
    fields.push(...inner);
  }
  return fields;
}

/** The schema as a file for editors. */
export function configJsonSchema(): JSONSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'wstack configuration',
    ...CONFIG_SCHEMA,
  };
}

function membersByName(schema: JSONSchema): JSONSchema {
  const { additionalProperties } = schema;
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

function typeOf(schema: JSONSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema['anyOf'])) return 'object | array';
  return typeof schema.type === 'string' ? schema.type : (schema.type ?? ['any']).join(' | ');
}
