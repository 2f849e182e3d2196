import { createRequire } from 'node:module';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { type JSONSchema, messageOf, WrongStackError } from '@wrongstack/contracts';
import { findForbiddenKey, forbiddenKeysNamedBy } from './forbidden-keys.js';
import { withCheckedPrototypeProperty } from './prototype-property.js';
import { dialectOf, type SchemaDialect } from './schema-dialect.js';
import { withinTime } from './within-time.js';

/** One line per fault, each starting with the field's path; empty when the value fits. */
export type SchemaCheck = (value: unknown) => readonly string[];

// Required on first use, since importing ajv costs more than most commands do, and synchronously, since registration is.
const require = createRequire(import.meta.url);

type AnyAjv = Pick<import('ajv').Ajv, 'compile' | 'removeSchema'>;

/** Whose schema it is. Ours are checked against their dialect by tests, which spares each start that check. */
export type SchemaOrigin = 'ours' | 'foreign';

/** Somebody else's expression on a model's text: one that backtracks without end would hold up everything. */
const MOST_PATTERN_MS = 1_000;

const shared = new Map<string, AnyAjv>();

const OPTIONS: Options = {
  strict: false,
  // 1e999 is no number that anything can be limited by.
  strictNumbers: true,
  allErrors: true,
  allowUnionTypes: true,
  ownProperties: true,
  logger: false,
};

/**
 * Compile a tool's or plugin's schema. Unknown keywords are ignored; `$ref`, `anyOf/oneOf/allOf`, `const` and `format`
 * work, in draft-06, draft-07, 2019-09 and 2020-12. A value whose patterns take too long to match does not fit. Throws `schema.invalid` where ajv cannot compile it, so that it fails
 * at registration and not at call time.
 */
export function compileSchema(
  schema: JSONSchema,
  what: string,
  origin: SchemaOrigin = 'foreign',
): SchemaCheck {
  let validate: ValidateFunction;
  let declared: readonly string[];
  let bounded: boolean;
  try {
    const text = JSON.stringify(schema);
    declared = forbiddenKeysNamedBy(text);
    bounded = origin === 'foreign' && /"pattern(?:Properties)?"/.test(text);
    validate = compile(withCheckedPrototypeProperty(schema, text), text, origin);
  } catch (error) {
    throw new WrongStackError('schema.invalid', `${what}: schema does not compile: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return (value) => {
    const forbidden = findForbiddenKey(value, declared);
    if (forbidden !== undefined) return [`${forbidden}: this key is not allowed`];
    const faults = (): readonly string[] => (validate(value) ? [] : (validate.errors ?? []).map(describe));
    if (!bounded) return faults();
    return withinTime(faults, MOST_PATTERN_MS) ?? ['/: a pattern of the schema takes too long to match'];
  };
}

function compile(schema: JSONSchema, text: string, origin: SchemaOrigin): ValidateFunction {
  const dialect = dialectOf(schema);
  const withFormats = origin === 'foreign' || text.includes('"format"');
  // A schema with names gets an instance of its own, so that those of two plugins cannot collide.
  if (/"\$(?:id|anchor|dynamicAnchor)"/.test(text))
    return createAjv(dialect, origin, withFormats).compile(schema);
  const key = `${dialect} ${origin} ${withFormats}`;
  const ajv = shared.get(key) ?? createAjv(dialect, origin, withFormats);
  shared.set(key, ajv);
  try {
    return ajv.compile(schema);
  } finally {
    // Nothing is kept when a tool is unregistered, or when its schema did not compile.
    ajv.removeSchema(schema);
  }
}

function createAjv(dialect: SchemaDialect, origin: SchemaOrigin, withFormats: boolean): AnyAjv {
  const ajv = newAjv(
    dialect,
    // Ours see a few small values each: making their code shorter takes longer than it saves.
    origin === 'ours'
      ? { ...OPTIONS, meta: false, validateSchema: false, code: { optimize: false } }
      : OPTIONS,
  );
  if (!withFormats) return ajv;
  const addFormats = (require('ajv-formats') as typeof import('ajv-formats')).default;
  // The classes differ in their dialect only; ajv-formats is typed against the oldest.
  addFormats(ajv as import('ajv').Ajv);
  return ajv;
}

function newAjv(dialect: SchemaDialect, options: Options): AnyAjv {
  // Destructured first: `new (require(…)).Ajv(…)` is called without `new` once a bundler has replaced the require.
  switch (dialect) {
    case '2020-12': {
      const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
      return new Ajv2020(options);
    }
    case '2019-09': {
      const { Ajv2019 } = require('ajv/dist/2019.js') as typeof import('ajv/dist/2019.js');
      return new Ajv2019(options);
    }
    case 'draft-06': {
      const { Ajv } = require('ajv') as typeof import('ajv');
      return new Ajv(options).addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object);
    }
    case 'draft-07': {
      const { Ajv } = require('ajv') as typeof import('ajv');
      return new Ajv(options);
    }
  }
}

function describe(error: ErrorObject): string {
  const at = error.instancePath === '' ? '/' : error.instancePath;
  if (error.propertyName !== undefined)
    return `${at}: ${JSON.stringify(error.propertyName)} cannot be a name here: ${error.message ?? 'is not valid'}`;
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
