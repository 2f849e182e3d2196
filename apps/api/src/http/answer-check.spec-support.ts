import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../api.module.js';

interface Operation {
  readonly path: RegExp;
  readonly name: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: unknown }>> }>
  >;
}

type Json = Readonly<Record<string, unknown>>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = new Map<object, ValidateFunction>();
let known: readonly Operation[] | null = null;

/**
 * Throws where an answer is not what the OpenAPI document says: a status that it does not name, a member that it does not declare or that is
 * missing. Clients are generated from that document, and so each request of every spec asks.
 */
export function checkAnswer(method: string, url: string, status: number, json: unknown): void {
  const path = new URL(url, 'http://localhost').pathname;
  const operation = operations().find((one) => one.name.startsWith(`${method} `) && one.path.test(path));
  if (operation === undefined) return;
  const response = operation.responses[String(status)];
  if (response === undefined) throw new Error(`${operation.name} does not say that it can answer ${status}`);
  const schema = response.content?.['application/json']?.schema;
  if (typeof schema !== 'object' || schema === null || json === undefined) return;
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
  compiled.set(schema, validate);
  if (validate(json)) return;
  throw new Error(
    `${operation.name} ${status} answers what its schema does not say: ${ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.map(({ params }) => params)).slice(0, 500)}`,
  );
}

function operations(): readonly Operation[] {
  known ??= Object.entries(openApiDocument().content['paths'] as Record<string, Record<string, Operation>>)
    // A name that is written out is more than one that stands for any.
    .sort(([one], [other]) => one.split('{').length - other.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        name: `${method.toUpperCase()} ${path}`,
        responses,
      })),
    );
  return known;
}

/** Readers ignore what they do not know; here it must be declared. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema as Json).map(([key, value]) => [key, key === 'required' ? value : closed(value)]),
  );
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
