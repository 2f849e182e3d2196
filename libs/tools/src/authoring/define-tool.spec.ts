import type { Context, ContentBlock } from '@wrongstack/contracts';
import { defineTool } from './define-tool.js';
import { type InferArgs, toJsonSchema } from './schema-spec.js';

const ctx = {} as Context;
const options = { signal: new AbortController().signal };

const search = defineTool({
  name: 'search_notes',
  description: 'Search notes.',
  parameters: {
    text: { type: 'string', required: true, description: 'What to look for' },
    limit: { type: 'integer' },
    order: { type: 'string', enum: ['newest', 'best'] },
    tags: { type: 'array', items: { type: 'string' } },
    within: { type: 'object', properties: { folder: { type: 'string', required: true } } },
  },
  async execute(args, exec) {
    return [
      { type: 'text', text: `${exec.name}:${args.text}:${String(args.limit ?? 0)}` },
    ] satisfies ContentBlock[];
  },
  presentCall: (args) => ({ card: 'generic', title: args.text.toUpperCase() }),
});

/** Fails to compile where the two types are not the same. */
type Same<A, B> = [A, B] extends [B, A] ? (keyof A extends keyof B ? true : false) : false;
const inferred: Same<
  InferArgs<{
    path: { type: 'string'; required: true };
    limit: { type: 'number' };
    order: { type: 'string'; enum: readonly ['a', 'b'] };
    deep: { type: 'object'; required: true; properties: { on: { type: 'boolean' } } };
    list: { type: 'array'; items: { type: 'integer' } };
  }>,
  { path: string; deep: { on?: boolean }; limit?: number; order?: 'a' | 'b'; list?: number[] }
> = true;

describe('defineTool', () => {
  it('infers the types of arguments from the spec', () => {
    expect(inferred).toBe(true);
  });

  it('hands checked arguments and the execution to execute', async () => {
    await expect(search.execute({ text: 'x', limit: 3 }, ctx, options)).resolves.toEqual([
      { type: 'text', text: 'search_notes:x:3' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a missing parameter', {}, '/text: is missing'],
    ['a wrong type', { text: 1 }, '/text: must be a string'],
    ['what is not a finite number', { text: '', limit: Number.NaN }, '/limit: must be an integer'],
    ['a fraction for an integer', { text: '', limit: 1.5 }, '/limit: must be an integer'],
    ['no member of the enumeration', { text: '', order: 'worst' }, '/order: must be one of newest, best'],
    ['a wrong item', { text: '', tags: ['a', 1] }, '/tags/1: must be a string'],
    ['a fault inside an object', { text: '', within: {} }, '/within/folder: is missing'],
    ['a parameter that is not declared', { text: '', toString: 1 }, '/toString: is unknown'],
    ['a list instead of an object', [], '/: must be an object'],
  ])('refuses %s before execute runs', async (_what, args, fault) => {
    await expect(search.execute(args as never, ctx, options)).rejects.toThrow(fault);
  });

  it('does not take an inherited member for an argument', async () => {
    const odd = defineTool({
      name: 'odd',
      description: '',
      parameters: { constructor: { type: 'string', required: true } },
      execute: async () => 'ran',
    });
    await expect(odd.execute({} as never, ctx, options)).rejects.toThrow('/constructor: is missing');
  });

  it('turns the spec into a closed JSON Schema', () => {
    expect(
      toJsonSchema({ a: { type: 'object', required: true, properties: { b: { type: 'number' } } } }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'number' } }, additionalProperties: false },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('gives a generic card instead of a throw where logged arguments do not fit', () => {
    expect(search.presentCall?.({ text: 'hi' })).toEqual({ card: 'generic', title: 'HI' });
    expect(search.presentCall?.({ older: true } as never)).toBeUndefined();
  });

  it('keeps a missing permission missing and takes a silent tool to change things', () => {
    expect(search.permission).toBeUndefined();
    expect(search.mutating).toBe(true);
  });

  it.each([
    ['an older name', { file: 'a' }],
    ['another type', { path: 1 }],
    ['no object', 'a'],
    ['no whole number', { path: 'a', line: 0.5 }],
    ['an inherited member only', Object.create({ path: 'a' })],
  ])('gives no card of a raw JSON Schema tool for logged arguments with %s', (_what, args) => {
    const raw = defineTool<{ path: string }>({
      name: 'raw',
      description: '',
      inputSchema: {
        type: 'object',
        properties: { path: { type: ['string', 'null'] }, line: { type: 'integer' } },
        required: ['path'],
      },
      execute: async () => 'ran',
      presentCall: ({ path }) => ({ card: 'generic', title: `Read ${path}` }),
    });
    expect(raw.presentCall?.({ path: 'a', line: 3 } as never)).toEqual({ card: 'generic', title: 'Read a' });
    expect(raw.presentCall?.(args as never)).toBeUndefined();
  });

  it('runs execute with the definition as this, and makes up no methods', async () => {
    const counting = {
      name: 'counting',
      description: '',
      parameters: {},
      calls: 0,
      async execute(this: { calls: number }) {
        this.calls += 1;
        return this.calls;
      },
    } as const;
    const tool = defineTool({ ...counting });
    await expect(tool.execute({}, ctx, options)).resolves.toBe(1);
    expect(tool.cleanup).toBeUndefined();
    expect(tool.executeStream).toBeUndefined();
  });

  it('takes raw JSON Schema as well', async () => {
    const raw = defineTool<{ n: number }>({
      name: 'raw',
      description: '',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      permission: 'auto',
      mutating: false,
      execute: async ({ n }) => n + 1,
    });
    expect(raw.inputSchema.properties).toEqual({ n: { type: 'number' } });
    await expect(raw.execute({ n: 1 }, ctx, options)).resolves.toBe(2);
  });
});
