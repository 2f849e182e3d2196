import { againstContent } from './located-diffs.js';

const FILE = 'one\nlet two = 2;\nthree\n';

describe('a diff against the file as it is', () => {
  it('has the whole line and its number', () => {
    const diff = againstContent({ path: 'a', oldText: 'two', newText: 'zwei' }, FILE);
    expect(diff).toEqual({ path: 'a', oldText: 'let two = 2;', newText: 'let zwei = 2;', oldStart: 2 });
  });

  it('works at both ends of a file', () => {
    expect(againstContent({ path: 'a', oldText: 'one', newText: '1' }, FILE)).toMatchObject({ oldStart: 1 });
    expect(againstContent({ path: 'a', oldText: 'three\n', newText: '' }, FILE)).toMatchObject({
      oldText: 'three\n',
      newText: '',
      oldStart: 3,
    });
  });

  it('shows what an overwritten file loses', () => {
    const diff = againstContent({ path: 'a', oldText: null, newText: 'new\n' }, FILE);
    expect(diff).toEqual({ path: 'a', oldText: FILE, newText: 'new\n', oldStart: 1 });
  });

  it.each([
    ['a text that is not there', { path: 'a', oldText: 'four', newText: '4' }],
    ['a text that is there twice', { path: 'a', oldText: 'e\n', newText: 'E\n' }],
    ['nothing at all', { path: 'a', oldText: '', newText: 'x' }],
    ['what is there already', { path: 'a', oldText: null, newText: FILE }],
  ])('leaves %s as it was said', (_what, diff) => {
    expect(againstContent(diff, FILE)).toBe(diff);
  });
});
