import { grantsOf } from './role-words.js';

describe('what a role may do, in words', () => {
  it('is a line for all things of which the same may be done', () => {
    expect(
      grantsOf(['read:Token', 'read:ExceptionRequest', 'decide:ExceptionRequest', 'read:Audit']),
    ).toEqual([
      { subjects: 'token, audit', actions: 'read' },
      { subjects: 'exception request', actions: 'read, decide' },
    ]);
  });

  it('is nothing for a role that may nothing', () => {
    expect(grantsOf([])).toEqual([]);
  });
});
