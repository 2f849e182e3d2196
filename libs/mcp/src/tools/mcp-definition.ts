import { digestOf, type JSONSchema } from '@wrongstack/contracts';

/** A tool as its server describes it. Every text is the server's own. */
export interface McpDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JSONSchema;
  readonly outputSchema?: JSONSchema;
  /** Hints. They can make us more careful and never less. */
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export type ReadDefinition =
  | { readonly kind: 'definition'; readonly definition: McpDefinition }
  /** Not offered to the model; the other tools of the server are. */
  | { readonly kind: 'quarantined'; readonly tool: string; readonly reason: string };

const MOST_SCHEMA = 64 * 1024;

/** Read by hand, since one malformed entry must not take the others with it. */
export function readDefinition(raw: unknown): ReadDefinition {
  const tool = record(raw);
  const name = tool?.['name'];
  if (tool === undefined || typeof name !== 'string' || name === '') {
    return { kind: 'quarantined', tool: '(nameless)', reason: 'it has no name' };
  }
  const quarantined = (reason: string): ReadDefinition => ({ kind: 'quarantined', tool: name, reason });
  const inputSchema = record(tool['inputSchema']);
  if (inputSchema === undefined) return quarantined('its inputSchema is no object');
  if (JSON.stringify(inputSchema).length > MOST_SCHEMA) return quarantined('its inputSchema is too large');
  const outputSchema = record(tool['outputSchema']);
  const annotations = record(tool['annotations']);
  return {
    kind: 'definition',
    definition: {
      name,
      ...(typeof tool['title'] === 'string' && { title: tool['title'] }),
      ...(typeof tool['description'] === 'string' && { description: tool['description'] }),
      inputSchema,
      ...(outputSchema && { outputSchema }),
      ...(annotations && { annotations }),
    },
  };
}

/** Of everything that the model or a person is told; the same in any order of keys. */
export function definitionDigest(definition: McpDefinition): string {
  return digestOf(definition);
}

export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
