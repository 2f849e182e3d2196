import { createRequire } from 'node:module';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { type JSONSchema, messageOf, WrongStackError } from '@wrongstack/contracts';
import { findForbiddenKey, forbiddenKeysNamedBy } from './forbidden-keys.js';
import { withCheckedPrototypeProperty } from './prototype-property.js';
import { dialectOf, type SchemaDialect } from './schema-dialect.js';

/** One line per fault, each starting with the field's path; empty when the value fits. */
export type SchemaCheck = (value: unknown) => readonly string[];

// Required on first use, since importing ajv costs more than most commands do, and synchronously, since registration is.
const require = createRequire(import.meta.url);

type AnyAjv = Pick<import('ajv').Ajv, 'compile' | 'removeSchema'>;

const shared = new Map<SchemaDialect, AnyAjv>();

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  allowUnionTypes: true,
  ownProperties: true,
  logger: false,
};

/**
 * Compile a tool's or plugin's schema. Unknown keywords are ignored; `$ref`, `anyOf/oneOf/allOf`, `const` and `format`
 * work, in draft-06, draft-07, 2019-09 and 2020-12. Throws `schema.invalid` where ajv cannot compile it, so that it fails
 * at registration and not at call time.
 */
export function compileSchema(schema: JSONSchema, what: string): SchemaCheck {
  let validate: ValidateFunction;
  let declared: readonly string[];
  try {
    const text = JSON.stringify(schema);
    declared = forbiddenKeysNamedBy(text);
    validate = compile(withCheckedPrototypeProperty(schema, text), text);
  } catch (error) {
    throw new WrongStackError('schema.invalid', `${what}: schema does not compile: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return (value) => {
    const forbidden = findForbiddenKey(value, declared);
    if (forbidden !== undefined) return [`${forbidden}: this key is not allowed`];
    return validate(value) ? [] : (validate.errors ?? []).map(describe);
  };
}

function compile(schema: JSONSchema, text: string): ValidateFunction {
  const dialect = dialectOf(schema);
  // A schema with names gets an instance of its own, so that those of two plugins cannot collide.
  if (/"\$(?:id|anchor|dynamicAnchor)"/.test(text)) return createAjv(dialect).compile(schema);
  const ajv = shared.get(dialect) ?? createAjv(dialect);
  shared.set(dialect, ajv);
  try {
    return ajv.compile(schema);
  } finally {
    // Nothing is kept when a tool is unregistered, or when its schema did not compile.
    ajv.removeSchema(schema);
  }
}

function createAjv(dialect: SchemaDialect): AnyAjv {
  const ajv = newAjv(dialect);
  const addFormats = (require('ajv-formats') as typeof import('ajv-formats')).default;
  // The classes differ in their dialect only; ajv-formats is typed against the oldest.
  addFormats(ajv as import('ajv').Ajv);
  return ajv;
}

function newAjv(dialect: SchemaDialect): AnyAjv {
  switch (dialect) {
    case '2020-12':
      return new (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020(OPTIONS);
    case '2019-09':
      return new (require('ajv/dist/2019.js') as typeof import('ajv/dist/2019.js')).Ajv2019(OPTIONS);
    case 'draft-06':
      return new (require('ajv') as typeof import('ajv')).Ajv(OPTIONS).addMetaSchema(
        require('ajv/dist/refs/json-schema-draft-06.json') as object,
      );
    case 'draft-07':
      return new (require('ajv') as typeof import('ajv')).Ajv(OPTIONS);
  }
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
