import { shapeOutput, toModelResult } from './to-model-result.js';

const text = (value: string) => ({ type: 'text', text: value });

describe('what a tool returns, as the model gets it', () => {
  const cyclic: Record<string, unknown> = { name: 'a' };
  cyclic['self'] = cyclic;
  const shared = { x: 1 };

  it.each<[string, unknown, unknown]>([
    ['a string as it is', 'plain "text"', { content: [text('plain "text"')], isError: false }],
    [
      'an object as JSON in one block',
      { echoed: 'hi' },
      { content: [text('{"echoed":"hi"}')], isError: false },
    ],
    ['nothing', undefined, { content: [text('(no output)')], isError: false }],
    ['null', null, { content: [text('null')], isError: false }],
    ['a list of values', [1, 2], { content: [text('[1,2]')], isError: false }],
    ['an empty list', [], { content: [text('[]')], isError: false }],
    [
      'content blocks',
      [text('a'), { type: 'image', mediaType: 'image/png', data: 'AA==' }],
      { content: [text('a'), { type: 'image', mediaType: 'image/png', data: 'AA==' }], isError: false },
    ],
    [
      'content with meta',
      { content: [text('a')], meta: { hunks: 1 } },
      { content: [text('a')], isError: false, meta: { hunks: 1 } },
    ],
    [
      'content that says it failed',
      { content: [text('a')], isError: true },
      { content: [text('a')], isError: true, meta: undefined },
    ],
    [
      'a value that only looks like content',
      { content: 'x', other: 1 },
      { content: [text('{"content":"x","other":1}')], isError: false },
    ],
    [
      'a file listing with a content field',
      { content: [text('a')], path: 'x' },
      { content: [text('{"content":[{"type":"text","text":"a"}],"path":"x"}')], isError: false },
    ],
    ['big integers', { n: 10n }, { content: [text('{"n":"10"}')], isError: false }],
    ['a cycle', cyclic, { content: [text('{"name":"a","self":"[circular]"}')], isError: false }],
    [
      'one object twice, which is no cycle',
      { a: shared, b: shared },
      { content: [text('{"a":{"x":1},"b":{"x":1}}')], isError: false },
    ],
  ])('%s', (_what, output, expected) => {
    expect(shapeOutput(output)).toEqual(expected);
  });

  it('says so when it cannot be written as JSON', () => {
    const throws = {
      toJSON() {
        throw new Error('no');
      },
    };
    for (const output of [throws, () => 1, Symbol('s')]) {
      expect(shapeOutput(output)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('cannot be written as JSON') }],
      });
    }
  });

  it('a failing command is a normal result, a thrown error is not', () => {
    expect(
      toModelResult({
        kind: 'returned',
        output: { content: [text('[exit code: 9]')], meta: { exitCode: 9 } },
      }).status,
    ).toBe('ok');
    expect(toModelResult({ kind: 'threw', error: 'text' })).toMatchObject({
      status: 'failed',
      result: { isError: true },
    });
    expect(toModelResult({ kind: 'threw', error: undefined }).result.content).toEqual([
      text('Error: undefined'),
    ]);
  });
});
