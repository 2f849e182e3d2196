import { compileGlob, expandBraces } from './glob-pattern.js';

const test = (pattern: string, path: string, more = {}): boolean =>
  compileGlob(pattern, { caseSensitive: true, braces: true, brackets: 'either', ...more })(path);

describe('globs', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'b/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'a/b/c.ts', true],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', false],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**/z', 'a/b/c/y', false],
    ['**', 'any/thing', true],
    ['**/**/x', 'x', true],
    ['./src//*.js', 'src/a.js', true],
    ['?.ts', 'a.ts', true],
    ['?.ts', '🙂.ts', true],
    ['?.ts', 'ab.ts', false],
    ['[ab].ts', 'b.ts', true],
    ['[!ab].ts', 'b.ts', false],
    ['[^a-c].ts', 'z.ts', true],
    ['[]x].ts', '].ts', true],
    ['[a.ts', '[a.ts', true],
    ['\\*.ts', '*.ts', true],
    ['\\*.ts', 'a.ts', false],
    ['*', '.hidden', true],
    ['(a|b).ts', '(a|b).ts', true],
    ['+(a).ts', 'aa.ts', false],
    ['{a,b}/*.{js,ts}', 'b/x.ts', true],
    ['{a,b{c,d}}', 'bd', true],
    ['{a}', '{a}', true],
    ['a{b', 'a{b', true],
  ])('%s and %s: %s', (pattern, path, expected) => {
    expect(test(pattern, path)).toBe(expected);
  });

  it('takes brackets as a class and as themselves', () => {
    expect(test('src/[test]/(x)/*.tsx', 'src/[test]/(x)/a.tsx')).toBe(true);
    expect(test('src/[test]/x', 'src/t/x')).toBe(true);
    expect(test('[test]', '[test]', { brackets: 'class' })).toBe(false);
  });

  it('can ignore case', () => {
    expect(test('*.TXT', 'a.txt')).toBe(false);
    expect(test('*.TXT', 'a.txt', { caseSensitive: false })).toBe(true);
  });

  it('stays quick on patterns that make a backtracking matcher explode', () => {
    expect(test(`${'*a'.repeat(40)}b`, 'a'.repeat(255))).toBe(false);
    expect(test(`${'**/a/'.repeat(40)}b`, `${'a/'.repeat(200)}c`)).toBe(false);
  });

  it('refuses an explosion of alternatives', () => {
    expect(expandBraces('{a,b}{c,d}')).toEqual(['ac', 'ad', 'bc', 'bd']);
    expect(() => expandBraces('{a,b}'.repeat(20))).toThrow('alternatives');
  });
});
