import { hostFact } from '../../../spec/support/synthetic-facts.js';
import { compileHostPattern } from './host-pattern.js';
import { compilePathGlob, compilePlainPathGlob, type PathGlob } from './path-glob.js';
import { compileUrlGlob } from './url-glob.js';
import { compileTimeWindow } from './time-window.js';
import { compileWordGlob } from './word-glob.js';

describe('word globs', () => {
  it.each([
    ['npm', 'npm', true],
    ['npm', 'npmx', false],
    ['np*', 'npm', true],
    ['*', '', true],
    ['*m', 'npm', true],
    ['n*p*m', 'n-p-m', true],
    ['n*p*m', 'n-m', false],
    ['a*a', 'a', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['a?', 'ab', false],
    ['[', '[', true],
    ['.*', 'x', false],
    ['(a+)+$', '(a+)+$', true],
    ['*', 'two\nlines', true],
  ])('%j on %j: %s', (glob, word, expected) => {
    expect(compileWordGlob(glob)(word)).toBe(expected);
  });

  it('does not run away on a pattern made to backtrack', () => {
    const glob = compileWordGlob(`${'*a'.repeat(200)}b`);
    expect(glob('a'.repeat(20_000))).toBe(false);
  });
});

describe('path globs', () => {
  const inside = (relative: string) => ({ real: `/work/shop/${relative}`, relative });
  const outside = (real: string) => ({ real, relative: null });
  const compiled = (glob: string): PathGlob => {
    const found = compilePathGlob(glob, '/home/ada');
    if (found === null || typeof found === 'string') throw new Error(String(found));
    return found;
  };
  const test = (glob: string, path: { real: string; relative: string | null }): boolean =>
    compiled(glob).matches(path);

  it.each([
    ['src/**', inside('src/a/b.ts'), true],
    ['src/**', inside('src'), true],
    ['src/*', inside('src/a/b.ts'), false],
    ['src/*.ts', inside('src/a.ts'), true],
    ['**/*.ts', inside('a.ts'), true],
    ['**', inside('.env'), true],
    ['**', outside('/etc/hosts'), false],
    ['./src/', inside('src/a'), true],
    ['src/?.ts', inside('src/a.ts'), true],
    ['src/?.ts', inside('src/ab.ts'), false],
    ['{src,test}/*.ts', inside('test/a.ts'), true],
    ['{src,test}/*.ts', inside('doc/a.ts'), false],
    ['a{b,{c,d}}e', inside('ade'), true],
    ['\\*.ts', inside('a.ts'), false],
    ['/etc/**', outside('/etc/ssh/config'), true],
    ['/work/shop/src/**', inside('src/a.ts'), true],
    ['~/notes/**', outside('/home/ada/notes/n.md'), true],
    ['~/notes/**', outside('/home/adam/notes/n.md'), false],
    ['C:/ws/**', { real: 'C:\\ws\\a.txt', relative: null }, true],
  ])('%s on %j: %s', (glob, path, expected) => {
    expect(test(glob, path)).toBe(expected);
  });

  it.each(['[ab].ts', '!src/**', '+(a|b)', 'src/../x', '{a,b', 'a}', '~bob/x', '{a,b}'.repeat(7)])(
    'refuses %s with a reason instead of never matching',
    (glob) => {
      expect(typeof compilePathGlob(glob, undefined)).toBe('string');
    },
  );

  it('does not know what ~ is until somebody says so', () => {
    expect(compilePathGlob('~/x', undefined)).toBeNull();
  });

  it.each([
    ['secret/**', inside(''), true],
    ['secret/**', inside('secret'), true],
    ['secret/**', inside('src'), false],
    ['src/a.ts', inside('src'), true],
    ['src/a.ts', inside('src/lib'), false],
    ['*.pem', inside(''), true],
    ['*.pem', inside('src'), false],
    ['**/*.pem', inside('src/lib'), true],
    ['**/keys/*', inside('src/keys'), true],
    ['{docs,src}/x', inside('src'), true],
    ['a/**/b/**/c', inside('a/x/b/y'), true],
    ['/work/shop/secret/x', inside(''), true],
    ['~/.ssh/**', outside('/home'), true],
    ['~/.ssh/**', outside('/srv'), false],
    ['secret/**', outside('/srv'), false],
    ['secret/**', { ...outside('/work'), aroundProject: true }, true],
  ])('%s may match below %j: %j', (glob, folder, expected) => {
    expect(compiled(glob).mayMatchBelow(folder)).toBe(expected);
  });

  it.each([
    ['**', inside(''), true],
    ['src/**', inside('src'), true],
    ['src/', inside('src/lib'), true],
    ['src/**', inside(''), false],
    ['src/*', inside('src/lib'), false],
    ['src/*.ts', inside('src'), false],
    ['src', inside('src'), false],
    ['{docs,src}/**', inside('src'), true],
    ['/**', outside('/etc'), true],
  ])('%s matches all of %j: %j', (glob, folder, expected) => {
    expect(compiled(glob).matchesAll(folder)).toBe(expected);
  });

  it('of the trust file know what is below as well', () => {
    const glob = compilePlainPathGlob('/work/shop/secret/*');
    expect(['/work', '/work/shop/secret', '/work/shop/src'].map(glob.mayMatchBelow)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('does not run away on a pattern made to backtrack', () => {
    const deep = Array.from({ length: 400 }, () => 'a').join('/');
    expect(test(`${'**/a/'.repeat(40)}b`, inside(deep))).toBe(false);
    expect(test(`${'*?'.repeat(60)}b`, inside('a'.repeat(2000)))).toBe(false);
  });
});

describe('host patterns', () => {
  const test = (pattern: string, host: string | null, overrides = {}): string => {
    const compiled = compileHostPattern(pattern);
    if (typeof compiled === 'string') throw new Error(compiled);
    return compiled(hostFact(host, overrides));
  };

  it.each([
    ['corp.example', 'corp.example', 'yes'],
    ['Corp.Example.', 'corp.example', 'yes'],
    ['*.corp.example', 'a.b.corp.example', 'yes'],
    ['*.corp.example', 'corp.example', 'no'],
    ['*.corp.example', 'evilcorp.example', 'no'],
    ['*.corp.example', 'corp.example.evil.example', 'no'],
    ['api-*.corp.example', 'api-1.corp.example', 'yes'],
    ['api-*.corp.example', 'api-1.x.corp.example', 'no'],
    ['*', 'anything.example', 'yes'],
    ['bücher.example', 'xn--bcher-kva.example', 'yes'],
    ['corp.example', null, 'unknown'],
  ])('%s on %s: %s', (pattern, host, expected) => {
    expect(test(pattern, host)).toBe(expected);
  });

  it('compares scheme and port where they are given', () => {
    expect(test('https://corp.example:8443', 'corp.example', { port: 8443 })).toBe('yes');
    expect(test('https://corp.example:8443', 'corp.example', { port: 443 })).toBe('no');
    expect(test('https://corp.example', 'corp.example', { scheme: 'http' })).toBe('no');
    expect(test('[::1]:8080', '::1', { port: 8080 })).toBe('yes');
  });

  it.each(['https://corp.example/path', 'user@corp.example', 'a..b', 'a b', ''])('refuses %j', (pattern) => {
    expect(typeof compileHostPattern(pattern)).toBe('string');
  });
});

describe('URL globs', () => {
  it.each([
    ['https://*.corp.example/mcp', 'https://a.corp.example/mcp', true],
    ['https://*.corp.example/mcp', 'https://evil.example/#.corp.example/mcp', false],
    ['https://*.corp.example/mcp', 'https://x@evil.corp.example/mcp', false],
    ['https://corp.example/**', 'https://corp.example/a/b?c', true],
    ['https://corp.example/**', 'https://corp.example.evil.example/', false],
    ['https://corp.example/v1**', 'https://corp.example/v1beta/x', true],
  ])('%s on %s: %s', (glob, url, expected) => {
    expect(compileUrlGlob(glob)(url)).toBe(expected);
  });
});

describe('time windows', () => {
  const inside = (window: Parameters<typeof compileTimeWindow>[0], moment: string): boolean => {
    const test = compileTimeWindow(window);
    if (typeof test === 'string') throw new Error(test);
    return test(Date.parse(moment));
  };
  const office = {
    tz: 'Europe/Berlin',
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '09:00',
    to: '17:00',
  };
  const night = { tz: 'UTC', days: ['fri'], from: '22:00', to: '06:00' };

  it('follows the wall clock through summer time', () => {
    expect(inside(office, '2026-03-27T08:30:00Z')).toBe(true);
    expect(inside(office, '2026-03-27T07:30:00Z')).toBe(false);
    expect(inside(office, '2026-03-30T07:30:00Z')).toBe(true);
    expect(inside(office, '2026-03-30T15:00:00Z')).toBe(false);
    expect(inside(office, '2026-03-29T10:00:00Z')).toBe(false);
  });

  it('runs past midnight, on the day on which it began', () => {
    expect(inside(night, '2026-03-06T23:00:00Z')).toBe(true);
    expect(inside(night, '2026-03-07T05:59:00Z')).toBe(true);
    expect(inside(night, '2026-03-07T06:00:00Z')).toBe(false);
    expect(inside(night, '2026-03-07T23:00:00Z')).toBe(false);
    expect(inside(night, '2026-03-06T05:00:00Z')).toBe(false);
  });

  it('lasts the whole day without times', () => {
    expect(inside({ tz: 'UTC', days: ['sat'] }, '2026-03-07T00:00:00Z')).toBe(true);
    expect(inside({ tz: 'UTC', days: ['sat'] }, '2026-03-08T00:00:00Z')).toBe(false);
  });

  it.each([
    { tz: 'Nowhere' },
    { tz: 'UTC', from: '25:00' },
    { tz: 'UTC', to: '12:60' },
    { tz: 'UTC', days: ['someday'] },
  ])('refuses %j', (window) => {
    expect(typeof compileTimeWindow(window)).toBe('string');
  });
});
