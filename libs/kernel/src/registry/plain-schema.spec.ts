import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JSONSchema } from '@wrongstack/contracts';
import { compileSchema } from './compile-schema.js';
import { isPlainSchema } from './plain-schema.js';

/** Every schema and part of a schema in the official tests, and what they are tested with, which is often none. */
function everyObject(): readonly unknown[] {
  const suite = path.join(import.meta.dirname, 'json-schema-suite');
  const found: unknown[] = [];
  const visit = (value: unknown): void => {
    found.push(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  for (const file of readdirSync(suite, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.json')) visit(JSON.parse(readFileSync(path.join(suite, file), 'utf8')));
  }
  return found;
}

describe('a plain schema', () => {
  it('compiles, whatever of the official tests is taken for one', () => {
    const plain = everyObject().filter(isPlainSchema);
    expect(plain.length).toBeGreaterThan(300);
    for (const schema of plain) expect(() => compileSchema(schema as JSONSchema, 'a test')).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['no object', 7],
    ['a list', []],
    ['a type that there is not', { type: 'text' }],
    ['a pattern', { type: 'string', pattern: '(' }],
    ['a reference', { $ref: '#/definitions/x' }],
    ['a dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['a combination', { anyOf: [{ type: 'string' }] }],
    ['a keyword with a wrong value', { type: 'string', minLength: '3' }],
    ['a negative length', { minLength: -1 }],
    ['an empty enum', { enum: [] }],
    ['a repeated requirement', { required: ['a', 'a'] }],
    [
      'a bad schema deep inside',
      { properties: { a: { items: { properties: { b: { type: 'nonsense' } } } } } },
    ],
    [
      'a property that JavaScript knows',
      { properties: JSON.parse('{"__proto__":{"type":"string"}}') as object },
    ],
    ['a property named constructor', { properties: { constructor: { type: 'string' } } }],
    ['a keyword that is not known', { type: 'object', discriminator: 'x' }],
  ])('is not one with %s', (_what, schema) => {
    expect(isPlainSchema(schema)).toBe(false);
  });

  it('is what most tools have', () => {
    expect(
      isPlainSchema({
        type: 'object',
        description: 'Input',
        properties: {
          who: { type: 'string', description: 'Name', maxLength: 80 },
          tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 3 },
        },
        required: ['who'],
        additionalProperties: false,
      }),
    ).toBe(true);
  });
});
