import type { JSONSchema } from '@wrongstack/contracts';
import { COMBINING_KEYWORDS } from './combination-vectors.spec-support.js';
import { compileSchema } from './compile-schema.js';
import { dialectOf } from './schema-dialect.js';
import { DOCUMENTED_KEYWORDS, json, type SchemaVector } from './schema-vectors.spec-support.js';

const URIS = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const;

function verdicts(schema: JSONSchema, values: readonly unknown[]): readonly boolean[] {
  const check = compileSchema(schema, 'a vector');
  return values.map((value) => check(value).length === 0);
}

function judged({ takes, refuses }: SchemaVector, schema: JSONSchema) {
  const check = compileSchema(schema, 'a vector');
  const fits = (value: unknown): boolean => check(value).length === 0;
  return { taken: takes.filter(fits), refused: refuses.filter((value) => !fits(value)) };
}

function declared(vector: SchemaVector, draft: keyof typeof URIS): JSONSchema {
  return { $schema: URIS[draft], ...vector.schema };
}

const EVERY = [...DOCUMENTED_KEYWORDS, ...COMBINING_KEYWORDS];

describe.each(['draft-07', '2020-12'] as const)('a schema of %s', (draft) => {
  it.each(EVERY.filter(({ only }) => only === undefined || only === draft))('$about', (vector) => {
    expect(judged(vector, declared(vector, draft))).toEqual({
      taken: vector.takes,
      refused: vector.refuses,
    });
  });
});

describe('a schema that does not say its draft', () => {
  it.each(EVERY)('$about', (vector) => {
    expect(judged(vector, vector.schema)).toEqual({ taken: vector.takes, refused: vector.refuses });
  });

  it.each([
    [{ type: 'object' }, 'draft-07'],
    [{ items: [{}] }, 'draft-07'],
    [{ properties: { a: { prefixItems: [{}] } } }, '2020-12'],
    [{ unevaluatedProperties: false }, '2019-09'],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, '2019-09'],
    [{ $schema: 'http://json-schema.org/draft-06/schema#' }, 'draft-06'],
  ] as const)('%j is read as %s', (schema, dialect) => {
    expect(dialectOf(schema)).toBe(dialect);
    expect(verdicts(schema, [{}])).toEqual([true]);
  });
});

describe('what a schema may hold', () => {
  it('ignores keywords that nobody knows', () => {
    const schema = {
      type: 'object',
      examples: [{ a: 1 }],
      'x-vendor': { type: 'nonsense' },
      properties: { a: { type: 'string', description: 'an a', deprecationMessage: 'old' } },
    };
    expect(verdicts(schema, [{ a: 'x' }, { a: 1 }])).toEqual([true, false]);
  });

  it.each<[string, JSONSchema]>([
    ['a type that does not exist', { type: 'text' }],
    ['a pattern that is no regular expression', { pattern: '(' }],
    ['a reference to nowhere', { $ref: '#/$defs/missing' }],
    ['a reference to another server', { $ref: 'http://schemas.test/a.json' }],
    ['required that is no list', { required: 'a' as never }],
    ['a draft that nobody knows', { $schema: 'http://json-schema.org/draft-03/schema#' }],
  ])('refuses %s when it is compiled', (_what, schema) => {
    expect(() => compileSchema(schema, 'tool odd')).toThrow(
      expect.objectContaining({
        code: 'schema.invalid',
        message: expect.stringMatching(/^tool odd: schema does not compile/),
      }) as Error,
    );
  });

  it('keeps `$id`s of different schemas apart', () => {
    const schema = (type: string): JSONSchema => ({ $id: 'https://same.test/id', type });
    expect(verdicts(schema('string'), ['a'])).toEqual([true]);
    expect(verdicts(schema('number'), ['a', 1])).toEqual([false, true]);
  });
});

describe('a pattern that backtracks without end', () => {
  const text = `${'a'.repeat(60)}!`;

  it.each<[string, JSONSchema, unknown]>([
    ['of a value', { properties: { a: { pattern: '^(a+)+$' } } }, { a: text }],
    ['of a name', { patternProperties: { '^(a|aa)+$': { type: 'number' } } }, { [text]: 1 }],
    ['behind a reference', { $defs: { a: { pattern: '^(a*)*$' } }, $ref: '#/$defs/a' }, text],
  ])('%s is given up, and the value refused', (_what, schema, value) => {
    const check = compileSchema(schema, 'slow');
    expect(check(value)).toEqual(['/: a pattern of the schema takes too long to match']);
    // What fits is taken as before.
    expect(check({})).toEqual([]);
  });
});

describe('names from the object prototype', () => {
  const open = compileSchema({ type: 'object' }, 'open');

  it.each([
    ['{ "__proto__": { "admin": true } }', '/__proto__'],
    ['{ "a": [{ "constructor": { "prototype": {} } }] }', '/a/0/constructor'],
    ['{ "prototype": [] }', '/prototype'],
  ])('%s is refused where the schema does not name the key', (text, path) => {
    expect(open(json(text))).toEqual([`${path}: this key is not allowed`]);
  });

  it('are ordinary words as values, and as names of plain data', () => {
    expect(open({ a: '__proto__', constructor: 'x', prototype: 1 })).toEqual([]);
  });

  it('count as unknown fields of a closed schema', () => {
    const closed = compileSchema({ type: 'object', additionalProperties: false }, 'closed');
    for (const name of ['toString', 'valueOf', 'hasOwnProperty', 'constructor'])
      expect(closed({ [name]: 1 })).toEqual([`/: unknown field "${name}"`]);
  });

  it('do not make an inherited member stand for a missing one', () => {
    const check = compileSchema({ required: ['toString', 'hasOwnProperty'] }, 'inherited');
    expect(check({})).toHaveLength(2);
  });

  it('cannot be used to change what other objects inherit', () => {
    compileSchema(
      json('{ "properties": { "__proto__": { "default": { "polluted": true } } } }'),
      'odd',
    )(json('{ "__proto__": { "polluted": true } }'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
