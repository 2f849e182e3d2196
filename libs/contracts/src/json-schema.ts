/**
 * JSON Schema as tools and plugins write it. The documented subset (type, properties, required, additionalProperties,
 * items, enum, minimum, maximum, minLength, maxLength, pattern) always works; whatever else ajv understands works too,
 * unknown keywords are ignored, and a schema that does not compile fails at registration.
 */
export type JSONSchema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JSONSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JSONSchema;
  readonly items?: JSONSchema | readonly JSONSchema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly [keyword: string]: unknown;
};

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
