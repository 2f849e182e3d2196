import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JSONSchema } from '@wrongstack/contracts';
import { compileSchema } from './compile-schema.js';

interface Group {
  readonly description: string;
  readonly schema: JSONSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const SUITE = path.join(path.dirname(require.resolve('json-schema-test-suite/package.json')), 'tests/draft4');

/** Keywords whose meaning has not changed since that draft, in the words of the official tests. */
const KEYWORDS = [
  'additionalProperties',
  'allOf',
  'anyOf',
  'definitions',
  'enum',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minItems',
  'minLength',
  'minProperties',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'properties',
  'ref',
  'required',
  'type',
  'uniqueItems',
  'maximum',
  'minimum',
];

/** Draft 4 says in words of its own what later drafts say otherwise; those groups are no statement about today's. */
function isOfItsTime({ schema }: Group): boolean {
  return /draft-04|"id"|"exclusiveM(?:in|ax)imum":\s*true/.test(JSON.stringify(schema));
}

describe.each(KEYWORDS)('the official tests of %s', (keyword) => {
  const groups = JSON.parse(readFileSync(path.join(SUITE, `${keyword}.json`), 'utf8')) as readonly Group[];
  const cases = groups
    .filter((group) => !isOfItsTime(group))
    .flatMap(({ description, schema, tests }) =>
      tests.map((test) => [`${description}: ${test.description}`, schema, test.data, test.valid] as const),
    );

  it.each(cases.length > 0 ? cases : [['none applies', {}, {}, true] as const])(
    '%s',
    (_what, schema, data, valid) => {
      expect(compileSchema(schema, 'a test')(data).length === 0).toBe(valid);
    },
  );
});
