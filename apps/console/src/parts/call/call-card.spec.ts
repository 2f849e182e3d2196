import { readCard } from './call-card.js';

describe('the card of a call', () => {
  it('is a command, changes, or whatever else was sent', () => {
    expect(readCard({ card: 'terminal', title: 'ls', cwd: '/p' })).toEqual({
      is: 'command',
      text: 'ls',
      cwd: '/p',
    });
    expect(
      readCard({ card: 'diff', diffs: [{ path: 'a', oldText: null, newText: 'b', newStart: 3 }] }),
    ).toEqual({
      is: 'changes',
      diffs: [{ path: 'a', before: null, after: 'b', firstBefore: 1, firstAfter: 3 }],
    });
    expect(readCard({ card: 'generic', title: 'x', rawInput: { a: 1 } })).toEqual({
      is: 'other',
      title: 'x',
      input: { a: 1 },
    });
  });

  it('that cannot be read whole is shown raw: a change that is left out would be one that nobody saw', () => {
    const card = {
      card: 'diff',
      diffs: [
        { path: 'a', oldText: null, newText: 'b' },
        { path: 'c', newText: 4 },
      ],
    };
    expect(readCard(card)).toEqual({ is: 'other', title: null, input: card });
    for (const value of [null, 'x', [], {}, { card: 'diff' }, { card: 'terminal' }])
      expect(readCard(value)).toEqual({ is: 'other', title: null, input: value });
  });
});
