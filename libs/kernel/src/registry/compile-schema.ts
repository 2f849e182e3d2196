import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { type JSONSchema, messageOf, WrongStackError } from '@wrongstack/contracts';
import { findForbiddenKey } from './forbidden-keys.js';

/** One line per fault, each starting with the field's path; empty when the value fits. */
export type SchemaCheck = (value: unknown) => readonly string[];

// Required on first use, since importing ajv costs more than most commands do, and synchronously, since registration is.
const require = createRequire(import.meta.url);

let shared: ((schema: JSONSchema) => ValidateFunction) | undefined;

/**
 * Compile a tool's or plugin's schema. Unknown keywords are ignored; `$ref`, `anyOf/oneOf/allOf`, `const` and `format`
 * work. Throws `schema.invalid` where ajv cannot compile it, so that it fails at registration and not at call time.
 */
export function compileSchema(schema: JSONSchema, what: string): SchemaCheck {
  let validate: ValidateFunction;
  try {
    shared ??= createCompiler();
    validate = shared(schema);
  } catch (error) {
    throw new WrongStackError('schema.invalid', `${what}: schema does not compile: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return (value) => {
    const forbidden = findForbiddenKey(value);
    if (forbidden !== undefined) return [`${forbidden}: this key is not allowed`];
    return validate(value) ? [] : (validate.errors ?? []).map(describe);
  };
}

function createCompiler(): (schema: JSONSchema) => ValidateFunction {
  const { Ajv } = require('ajv') as typeof import('ajv');
  const addFormats = (require('ajv-formats') as typeof import('ajv-formats')).default;
  const compile = (schema: JSONSchema): ValidateFunction => {
    // An instance per schema: `$id`s of two plugins cannot collide, and nothing is kept when a tool is unregistered.
    const ajv = new Ajv({
      strict: false,
      allErrors: true,
      allowUnionTypes: true,
      ownProperties: true,
      logger: false,
    });
    addFormats(ajv);
    return ajv.compile(schema);
  };
  return compile;
}

function describe(error: ErrorObject): string {
  const at = error.instancePath === '' ? '/' : error.instancePath;
  switch (error.keyword) {
    case 'additionalProperties':
      return `${at}: unknown field ${JSON.stringify(error.params['additionalProperty'])}`;
    case 'required':
      return `${at}: field ${JSON.stringify(error.params['missingProperty'])} is missing`;
    case 'enum':
      return `${at}: must be one of ${JSON.stringify(error.params['allowedValues'])}`;
    default:
      return `${at}: ${error.message ?? 'is not valid'}`;
  }
}
