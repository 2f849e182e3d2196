import { conflictsIn, mergeTexts, resolved } from './merge.js';

const BASE = ['rules:', '  - id: one', '  - id: two', '  - id: three', ''].join('\n');

describe('two edits of one text', () => {
  it('are both kept where they are about different lines', () => {
    const mine = BASE.replace('one', 'ONE');
    const theirs = BASE.replace('three', 'THREE');
    const regions = mergeTexts(BASE, mine, theirs);
    expect(conflictsIn(regions)).toEqual([]);
    expect(resolved(regions, [])).toBe(BASE.replace('one', 'ONE').replace('three', 'THREE'));
  });

  it('are one where they say the same', () => {
    const same = BASE.replace('two', 'TWO');
    expect(resolved(mergeTexts(BASE, same, same), [])).toBe(same);
  });

  it('are put before a person where they are about the same lines', () => {
    const regions = mergeTexts(BASE, BASE.replace('two', 'mine'), BASE.replace('two', 'theirs'));
    expect(conflictsIn(regions)).toEqual([
      { mine: ['  - id: mine'], base: ['  - id: two'], theirs: ['  - id: theirs'] },
    ]);
    expect(resolved(regions, ['mine'])).toBe(BASE.replace('two', 'mine'));
    expect(resolved(regions, ['theirs'])).toBe(BASE.replace('two', 'theirs'));
    expect(resolved(regions, ['both'])).toContain('  - id: theirs\n  - id: mine');
  });

  it('lose nothing where nobody chose', () => {
    const text = resolved(mergeTexts(BASE, BASE.replace('two', 'mine'), BASE.replace('two', 'theirs')), []);
    expect(text).toContain('mine');
    expect(text).toContain('theirs');
  });
});
