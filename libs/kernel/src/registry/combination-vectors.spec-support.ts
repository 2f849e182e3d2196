import { json, type SchemaVector } from './schema-vectors.spec-support.js';

/** Keywords beyond the guide's list, as ajv understands them. */
export const COMBINING_KEYWORDS: readonly SchemaVector[] = [
  {
    about: 'allOf',
    schema: {
      properties: { bar: { type: 'integer' } },
      allOf: [{ required: ['bar'] }, { required: ['foo'] }],
    },
    takes: [{ bar: 2, foo: 'x' }],
    refuses: [{ bar: 2 }, { foo: 'x' }, { bar: 'x', foo: 'x' }],
  },
  { about: 'allOf with false', schema: { allOf: [true, false] }, takes: [], refuses: ['foo', 1] },
  {
    about: 'allOf with an empty schema',
    schema: { allOf: [{}, { type: 'number' }] },
    takes: [1],
    refuses: ['x'],
  },
  {
    about: 'allOf, anyOf and oneOf together',
    schema: { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] },
    takes: [30],
    refuses: [1, 2, 3, 5, 6, 10, 15],
  },
  {
    about: 'anyOf',
    schema: { anyOf: [{ type: 'integer' }, { minimum: 2 }] },
    takes: [1, 2.5, 3],
    refuses: [1.5],
  },
  {
    about: 'anyOf beside type',
    schema: { type: 'string', anyOf: [{ maxLength: 2 }, { minLength: 4 }] },
    takes: ['fo', 'foobar'],
    refuses: [3, 'foo'],
  },
  {
    about: 'anyOf with one empty schema',
    schema: { anyOf: [{ type: 'number' }, {}] },
    takes: ['x', 1],
    refuses: [],
  },
  {
    about: 'oneOf',
    schema: { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
    takes: [1, 2.5],
    refuses: [3, 1.5],
  },
  {
    about: 'oneOf of required properties',
    schema: { type: 'object', oneOf: [{ required: ['a', 'b'] }, { required: ['a', 'c'] }] },
    takes: [
      { a: 1, b: 2 },
      { a: 1, c: 3 },
    ],
    refuses: [{ b: 2 }, { a: 1, b: 2, c: 3 }],
  },
  { about: 'oneOf where all are true', schema: { oneOf: [true, true] }, takes: [], refuses: ['x'] },
  { about: 'not', schema: { not: { type: 'integer' } }, takes: ['foo', 1.5], refuses: [1] },
  {
    about: 'not of several types',
    schema: { not: { type: ['integer', 'boolean'] } },
    takes: ['x'],
    refuses: [1, true],
  },
  {
    about: 'not within a property',
    schema: { properties: { foo: { not: {} } } },
    takes: [{ bar: 1 }, {}],
    refuses: [{ foo: 1 }],
  },
  { about: 'double negation', schema: { not: { not: {} } }, takes: ['anything', null], refuses: [] },
  { about: 'const', schema: { const: 2 }, takes: [2, 2.0], refuses: [5, 'a'] },
  {
    about: 'const of an object, in any order of keys',
    schema: { const: { foo: 'bar', baz: 'bax' } },
    takes: [{ baz: 'bax', foo: 'bar' }],
    refuses: [{ foo: 'bar' }, [1, 2]],
  },
  { about: 'const null', schema: { const: null }, takes: [null], refuses: [0, '', false] },
  { about: 'const false is not 0', schema: { const: false }, takes: [false], refuses: [0, [false]] },
  {
    about: 'const of a list',
    schema: { const: [{ foo: 'bar' }] },
    takes: [[{ foo: 'bar' }]],
    refuses: [[2], [1, 2, 3]],
  },
  {
    about: 'const beyond 2^53',
    schema: { const: 9007199254740992 },
    takes: [9007199254740992],
    refuses: [9007199254740991],
  },
  {
    about: '$ref to the root',
    schema: { properties: { foo: { $ref: '#' } }, additionalProperties: false },
    takes: [{ foo: false }, { foo: { foo: false } }],
    refuses: [{ bar: false }, { foo: { bar: false } }],
  },
  {
    about: '$ref by a pointer with escapes',
    schema: {
      definitions: {
        'tilde~field': { type: 'integer' },
        'slash/field': { type: 'integer' },
        'percent%field': { type: 'integer' },
      },
      properties: {
        tilde: { $ref: '#/definitions/tilde~0field' },
        slash: { $ref: '#/definitions/slash~1field' },
        percent: { $ref: '#/definitions/percent%25field' },
      },
    },
    takes: [{ slash: 123 }, { tilde: 123 }, { percent: 123 }],
    refuses: [{ slash: 'aoeu' }, { tilde: 'aoeu' }, { percent: 'aoeu' }],
  },
  {
    about: '$ref by way of $ref',
    schema: {
      $defs: { a: { type: 'integer' }, b: { $ref: '#/$defs/a' }, c: { $ref: '#/$defs/b' } },
      properties: { x: { $ref: '#/$defs/c' } },
    },
    takes: [{ x: 5 }],
    refuses: [{ x: 'a' }],
  },
  {
    about: 'a property that is called $ref',
    schema: json('{ "properties": { "$ref": { "type": "string" } } }'),
    takes: [{ $ref: 'a' }],
    refuses: [{ $ref: 2 }],
  },
  {
    about: 'a tree that refers to its own nodes',
    schema: {
      $defs: {
        node: {
          type: 'object',
          properties: {
            value: { type: 'number' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['value'],
        },
      },
      $ref: '#/$defs/node',
    },
    takes: [{ value: 1, children: [{ value: 2, children: [] }] }],
    refuses: [
      { value: 1, children: [{ value: 'two' }] },
      { value: 1, children: [{}] },
    ],
  },
  {
    about: '$ref beside other keywords: both count',
    only: '2020-12',
    schema: {
      $defs: { list: { type: 'array' } },
      properties: { foo: { $ref: '#/$defs/list', maxItems: 2 } },
    },
    takes: [{ foo: [] }],
    refuses: [{ foo: [1, 2, 3] }, { foo: 'text' }],
  },
  {
    about: '$anchor',
    only: '2020-12',
    schema: { $defs: { a: { $anchor: 'here', type: 'integer' } }, $ref: '#here' },
    takes: [1],
    refuses: ['a'],
  },
  {
    about: 'unevaluatedProperties sees through allOf',
    only: '2020-12',
    schema: { type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    takes: [{ a: 1 }],
    refuses: [{ a: 1, b: 1 }],
  },
  {
    about: 'if, then and else',
    schema: {
      if: { properties: { kind: { const: 'a' } } },
      then: { required: ['x'] },
      else: { required: ['y'] },
    },
    takes: [
      { kind: 'a', x: 1 },
      { kind: 'b', y: 1 },
    ],
    refuses: [
      { kind: 'a', y: 1 },
      { kind: 'b', x: 1 },
    ],
  },
  ...(
    [
      ['date', ['2024-02-29', 12], ['2023-02-29', '2024-13-01', '24-01-01']],
      [
        'date-time',
        ['1985-04-12T23:20:50.52Z', '1996-12-19T16:39:57-08:00'],
        ['1990-02-31T15:59:59.123Z', 'yesterday'],
      ],
      ['email', ['joe.bloggs@example.com', {}], ['2962', '@example.com']],
      ['hostname', ['www.example.com'], ['-a-host-name-that-starts-with--', 'not_a_valid_host_name']],
      ['ipv4', ['192.168.0.1'], ['127.0.0.0.1', '256.256.256.256', '087.10.0.1']],
      ['ipv6', ['::1', '::ffff:192.168.0.1'], ['12345::', '1:1:1:1:1:1:1:1:1', '::laptop']],
      [
        'uri',
        ['http://foo.bar/?baz=qux#quux', 'urn:oasis:names'],
        ['//foo.bar/?baz', '\\\\WINDOWS\\fileshare', 'abc'],
      ],
      ['uuid', ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08-aa98-11ea-73b441d16380', '2eb8']],
      ['regex', ['([abc])+\\s+$'], ['^(abc]']],
      ['json-pointer', ['/foo/bar~0/baz~1/%a', ''], ['foo', '/foo/bar~']],
      ['an-invention-of-the-author', ['anything'], []],
    ] as const
  ).map(([format, takes, refuses]) => ({ about: `format ${format}`, schema: { format }, takes, refuses })),
];
