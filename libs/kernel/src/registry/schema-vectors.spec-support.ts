import type { JSONSchema } from '@wrongstack/contracts';

/** What a schema takes and what it refuses. Without `only` it means the same in draft-07 and in 2020-12. */
export interface SchemaVector {
  readonly about: string;
  readonly schema: JSONSchema;
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
  readonly only?: 'draft-07' | '2020-12';
}

/** As JSON gives it: a literal `{ __proto__: … }` would set the prototype instead of making a key. */
export const json = (text: string): never => JSON.parse(text) as never;

const ONE_OF_EACH = [1, 1.5, 'text', {}, [], true, null];
const except = (...kept: readonly unknown[]): readonly unknown[] =>
  ONE_OF_EACH.filter((value) => !kept.some((one) => JSON.stringify(one) === JSON.stringify(value)));

/** The keywords that the author guide promises. */
export const DOCUMENTED_KEYWORDS: readonly SchemaVector[] = [
  ...[
    { type: 'integer', takes: [1, 1.0, -7, 1e3], others: except(1).concat('1') },
    { type: 'number', takes: [1, 1.5, 1.0], others: except(1, 1.5).concat('1') },
    { type: 'string', takes: ['text', '', '1'], others: except('text') },
    { type: 'object', takes: [{}, { a: 1 }], others: except({}) },
    { type: 'array', takes: [[], [1]], others: except([]) },
    { type: 'boolean', takes: [true, false], others: except(true).concat(0, '') },
    { type: 'null', takes: [null], others: except(null).concat(0, '', false) },
  ].map(({ type, takes, others }) => ({ about: `type ${type}`, schema: { type }, takes, refuses: others })),
  {
    about: 'type as a list',
    schema: { type: ['integer', 'string'] },
    takes: [1, 'text'],
    refuses: [1.5, {}, [], true, null],
  },
  {
    about: 'type as a list of one',
    schema: { type: ['string'] },
    takes: ['text'],
    refuses: [1],
  },
  {
    about: 'type as a list with null',
    schema: { type: ['array', 'object', 'null'] },
    takes: [[1], { a: 1 }, null],
    refuses: [1, 'text'],
  },
  {
    about: 'properties are checked where they are present, and only on objects',
    schema: { properties: { count: { type: 'integer' }, name: { type: 'string' } } },
    takes: [{ count: 1, name: 'a' }, {}, { other: [] }, [], 12],
    refuses: [
      { count: 1, name: {} },
      { count: [], name: {} },
    ],
  },
  {
    about: 'properties, patternProperties and additionalProperties work on one another’s rest',
    schema: {
      properties: { list: { type: 'array', maxItems: 3 }, odd: { type: 'array' } },
      patternProperties: { 'l.st': { minItems: 2 } },
      additionalProperties: { type: 'integer' },
    },
    takes: [{ list: [1, 2] }, { l0st: [1, 2] }, { odd: [] }, { more: 3 }],
    refuses: [{ list: [1, 2, 3, 4] }, { list: [] }, { l0st: [] }, { more: 'text' }],
  },
  {
    about: 'a property with the boolean schemas',
    schema: { properties: { yes: true, no: false } as never },
    takes: [{}, { yes: 1 }],
    refuses: [{ no: 2 }, { yes: 1, no: 2 }],
  },
  {
    about: 'properties with characters that must be escaped',
    schema: {
      properties: {
        'a\nb': { type: 'number' },
        'a"b': { type: 'number' },
        'a\\b': { type: 'number' },
        "a'b": { type: 'number' },
      },
    },
    takes: [{ 'a\nb': 1, 'a"b': 1, 'a\\b': 1, "a'b": 1 }],
    refuses: [{ 'a\nb': '1' }, { 'a"b': '1' }, { 'a\\b': '1' }, { "a'b": '1' }],
  },
  {
    about: 'a property that is null',
    schema: { properties: { nothing: { type: 'null' } } },
    takes: [{ nothing: null }],
    refuses: [{ nothing: 0 }],
  },
  {
    about: 'properties named as members of every object',
    schema: json(`{ "properties": {
      "__proto__": { "type": "number" },
      "toString": { "properties": { "length": { "type": "string" } } },
      "constructor": { "type": "number" } } }`),
    takes: [{}, [], 12, json('{ "__proto__": 12, "toString": { "length": "text" }, "constructor": 37 }')],
    refuses: [
      json('{ "__proto__": "text" }'),
      { toString: { length: 37 } },
      json('{ "constructor": { "length": 37 } }'),
    ],
  },
  {
    about: 'required',
    schema: { properties: { a: {}, b: {} }, required: ['a'] },
    takes: [{ a: 1 }, { a: null }, [], 'text', 12],
    refuses: [{}, { b: 1 }],
  },
  { about: 'required with nothing in it', schema: { required: [] }, takes: [{}], refuses: [] },
  {
    about: 'required with characters that must be escaped',
    schema: { required: ['a\nb', 'a"b', 'a\\b'] },
    takes: [{ 'a\nb': 1, 'a"b': 1, 'a\\b': 1 }],
    refuses: [{ 'a\nb': 1, 'a"b': 1 }],
  },
  {
    about: 'required names that every object inherits',
    schema: { required: ['__proto__', 'toString', 'constructor'] },
    takes: [[], 12, json('{ "__proto__": 12, "toString": { "length": "text" }, "constructor": 37 }')],
    refuses: [
      {},
      json('{ "__proto__": 12 }'),
      { toString: { length: 37 } },
      json('{ "constructor": { "length": 37 } }'),
    ],
  },
  {
    about: 'additionalProperties: false',
    schema: { properties: { a: {}, b: {} }, patternProperties: { '^v': {} }, additionalProperties: false },
    takes: [{ a: 1 }, { vroom: 1 }, [1], 'text', 12],
    refuses: [{ a: 1, b: 2, c: 3 }, { quux: 1 }, { toString: 1 }],
  },
  {
    about: 'additionalProperties with a pattern beyond ASCII',
    schema: { patternProperties: { '^á': {} }, additionalProperties: false },
    takes: [{ ármányos: 1 }],
    refuses: [{ élmény: 1 }],
  },
  {
    about: 'additionalProperties with a schema',
    schema: { properties: { a: {} }, additionalProperties: { type: 'boolean' } },
    takes: [{ a: 1 }, { a: 1, c: true }],
    refuses: [{ c: 12 }],
  },
  {
    about: 'additionalProperties looks at its own schema’s properties only',
    schema: { allOf: [{ properties: { a: {} } }], additionalProperties: { type: 'boolean' } },
    takes: [{ a: true }],
    refuses: [{ a: 1 }],
  },
  {
    about: 'items',
    schema: { items: { type: 'integer' } },
    takes: [[], [1, 2], { a: 'text' }, { '0': 'invalid', length: 1 }],
    refuses: [[1, 'x']],
  },
  {
    about: 'items: false',
    schema: { items: false as never },
    takes: [[]],
    refuses: [[1]],
  },
  {
    about: 'items within items',
    schema: { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
    takes: [[[[1]], [[2], [3]]]],
    refuses: [[[['1']]], [[1]]],
  },
  {
    about: 'items that are null',
    schema: { items: { type: 'null' } },
    takes: [[null]],
    refuses: [[0]],
  },
  {
    about: 'items as a list, with additionalItems',
    only: 'draft-07',
    schema: { items: [{ type: 'integer' }, { type: 'string' }], additionalItems: false },
    takes: [[1, 'a'], [1], [], { '0': 'x' }],
    refuses: [
      ['a', 1],
      [1, 'a', true],
    ],
  },
  {
    about: 'prefixItems, with items for the rest',
    only: '2020-12',
    schema: { prefixItems: [{ type: 'integer' }, { type: 'string' }], items: { type: 'boolean' } },
    takes: [[1, 'a'], [1], [], [1, 'a', true]],
    refuses: [
      ['a', 1],
      [1, 'a', 'b'],
    ],
  },
  {
    about: 'enum of simple values',
    schema: { enum: [1, 2, 3] },
    takes: [1, 1.0],
    refuses: [4, '1', [1]],
  },
  {
    about: 'enum of all kinds, compared deeply',
    schema: { enum: [6, 'foo', [], true, { foo: 12 }, null] },
    takes: [[], { foo: 12 }, null],
    refuses: [{ foo: false }, { foo: 12, boo: 42 }, [[]], false],
  },
  { about: 'enum tells 0 from false', schema: { enum: [0] }, takes: [0, -0, 0.0], refuses: [false, [0], ''] },
  { about: 'enum tells 1 from true', schema: { enum: [true] }, takes: [true], refuses: [1, [true]] },
  {
    about: 'enum tells [false] from [0]',
    schema: { enum: [[false]] },
    takes: [[false]],
    refuses: [[0], false],
  },
  {
    about: 'enum with escapes and NUL',
    schema: { enum: ['foo\nbar', 'hello\0there'] },
    takes: ['foo\nbar', 'hello\0there'],
    refuses: ['foo\\nbar', 'hellothere'],
  },
  {
    about: 'enum in properties',
    schema: { properties: { a: { enum: ['a'] }, b: { enum: ['b'] } }, required: ['b'] },
    takes: [{ a: 'a', b: 'b' }, { b: 'b' }],
    refuses: [{ a: 'x', b: 'b' }, { b: 'x' }, { a: 'a' }, {}],
  },
  {
    about: 'minimum',
    schema: { minimum: 1.1 },
    takes: [1.1, 2.6, 'x'],
    refuses: [0.6],
  },
  { about: 'minimum below zero', schema: { minimum: -2 }, takes: [-1, 0, -2, -2.0], refuses: [-2.0001, -3] },
  { about: 'maximum', schema: { maximum: 3 }, takes: [2.6, 3, 'x'], refuses: [3.5] },
  { about: 'maximum with an integer', schema: { maximum: 300 }, takes: [299.97, 300], refuses: [300.5] },
  {
    about: 'minLength counts code points',
    schema: { minLength: 2 },
    takes: ['foo', 'fo', 1, '💩💩'],
    refuses: ['f', '💩', ''],
  },
  {
    about: 'maxLength counts code points',
    schema: { maxLength: 2 },
    takes: ['f', 'fo', 100, '💩💩'],
    refuses: ['foo', '💩💩💩'],
  },
  {
    about: 'lengths that are written as decimals',
    schema: { minLength: 2.0, maxLength: 3.0 },
    takes: ['fo', 'foo'],
    refuses: ['f', 'fooo'],
  },
  {
    about: 'pattern applies to strings alone',
    schema: { pattern: '^a*$' },
    takes: ['aaa', '', true, 1, 1.5, {}, [], null],
    refuses: ['abc'],
  },
  { about: 'pattern is not anchored', schema: { pattern: 'a+' }, takes: ['xxaayy'], refuses: ['xyz'] },
  {
    about: 'pattern knows Unicode properties',
    schema: { pattern: '\\p{Letter}cole' },
    takes: ["Les hivers de mon enfance étaient l'école", 'école'],
    refuses: ['1cole'],
  },
];
