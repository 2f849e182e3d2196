import { frozenJson } from './frozen-json.js';

describe('frozenJson', () => {
  it('copies what JSON holds, and freezes all of it', () => {
    const given = { a: [1, { b: null }], c: undefined, d: 'x', e: { f: false } };
    const copied = frozenJson(given) as typeof given;
    given.a.push(2);
    given.e.f = true;
    expect(copied).toEqual({ a: [1, { b: null }], d: 'x', e: { f: false } });
    expect([copied, copied.a, copied.a[1], copied.e].every(Object.isFrozen)).toBe(true);
    expect('c' in copied).toBe(false);
  });

  it('keeps a member called __proto__ a member', () => {
    const copied = frozenJson(JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.keys(copied)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
  });

  it('takes a value that stands in two places, and refuses one that stands in itself', () => {
    const shared = { type: 'string' };
    expect(frozenJson([shared, shared])).toEqual([shared, shared]);
    const self: Record<string, unknown> = {};
    self['self'] = { self };
    expect(() => frozenJson(self)).toThrow('cannot write a cycle');
  });

  it.each([
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['NaN', Number.NaN],
    ['a Map', new Map()],
    ['a date', new Date(0)],
    ['undefined in a list', [undefined]],
  ])('refuses %s', (_what, value) => {
    expect(() => frozenJson({ value })).toThrow(expect.objectContaining({ code: 'json.not_serialisable' }));
  });
});
