import { newId } from './ids.js';

describe('newId', () => {
  it('is printable, prefixed by its kind and fit for a file name', () => {
    expect(newId('SessionId')).toMatch(/^s-[0-9a-z]{15}$/);
    expect(newId('ApprovalId')).toMatch(/^ap-[0-9a-z]{15}$/);
  });

  it('does not repeat', () => {
    const made = new Set(Array.from({ length: 10_000 }, () => newId('CallId')));
    expect(made.size).toBe(10_000);
  });

  it('takes its randomness from where it is told', () => {
    const zeros = (size: number): Uint8Array => new Uint8Array(size);
    expect(newId('TaskId', zeros, 4)).toBe('t-000000');
  });
});
