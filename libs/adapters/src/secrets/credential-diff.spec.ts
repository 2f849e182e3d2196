import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { CredentialDiff, WITHHELD } from './credential-diff.js';
import { PatternSecretScrubber } from './pattern-secret-scrubber.js';

const isCredentialFile = (path: string) => /(?:^|\/)(?:\.env|.*\.pem|login data)$/.test(path);
const filtered = (text: string) => {
  const filter = new CredentialDiff(isCredentialFile);
  return filter.push(text) + filter.end();
};

const HEAD = 'diff --git a/.env b/.env\nindex 1..2 100644\n--- a/.env\n+++ b/.env\n';
const OTHER = 'diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n';

describe('what a diff shows of credential files', () => {
  it('is withheld, hunk headings included, and nothing else is', () => {
    const secret = '@@ -1,2 +1,3 @@ NAME=heading\n A=context\n-B=removed\n+B=added\n+C=added\n';
    expect(filtered(`${OTHER}${HEAD}${secret}${secret}${OTHER}tail\n`)).toBe(
      `${OTHER}${HEAD}${WITHHELD}\n${OTHER}tail\n`,
    );
  });

  it('ends with its lines, so what another command prints is shown', () => {
    const noNewline = '@@ -0,0 +1 @@\n+A=1\n\\ No newline at end of file\n';
    expect(filtered(`${HEAD}${noNewline}On branch main\n+B=2\n`)).toBe(
      `${HEAD}${WITHHELD}\nOn branch main\n+B=2\n`,
    );
  });

  it.each([
    ['a quoted name', 'diff --git "a/f\\303\\274r.pem" "b/f\\303\\274r.pem"\n@@ -1 +1 @@\n-S\n+S\n'],
    ['a name with a space', 'diff --git a/p/login data b/p/login data\n@@ -1 +1 @@\n-S\n+S\n'],
    ['no prefix', 'diff --git .env .env\n@@ -1 +1 @@\n-S\n+S\n'],
    ['a renamed file', 'diff --git a/x b/.env\nsimilarity index 90%\n@@ -1 +1 @@\n-S\n+S\n'],
    ['a merge', 'diff --cc .env\nindex 1,2..3\n@@@ -1,1 -1,1 +1,2 @@@\n- S\n -S\n++S\n'],
    ['a binary patch', 'diff --git a/k.pem b/k.pem\nindex 1..2\nGIT binary patch\nliteral 3\nKcmS\n'],
    ['no header of git', '--- a/.env\t2026-01-01\n+++ b/.env\t2026-01-01\n@@ -1 +1 @@\n-S\n+S\n'],
    ['words', `${HEAD}@@ -1,2 +1,2 @@\nA=[-S-]{+S+}\nS\n`],
    ['a graph', `* commit abcdef1\n| diff --git a/.env b/.env\n| @@ -1 +1 @@\n| -S\n| +S\n`],
    ['line ends of Windows', 'diff --git a/.env b/.env\r\n@@ -1 +1 @@\r\n-S\r\n+S\r\n'],
    ['other signs', `${HEAD}@@ -1 +1,2 @@\n>S\n<S\n S\n`],
    ['signs that lie', `${HEAD}@@ -1,2 +1,2 @@\n S\n S\n S\n S\n`],
    ['a content line that reads like a header', `${HEAD}@@ -1,2 +1,2 @@\n diff --git a/x b/x\n S\n`],
  ])('is withheld with %s', (_name, text) => {
    expect(filtered(text)).toContain(WITHHELD);
    expect(filtered(text).replace(/^(?:diff|similarity).*$/gm, '')).not.toContain('S');
  });

  it.each([
    'const header = `diff --git a/.env b/.env`;\nnext();\n',
    'diff --git a/.env b/.env\nis how such a section begins.\nnext\n',
    '--- a/.env\nno hunk\n+++ b/.env\n+A=1\n',
    'diff --git a/.env.example b/.env.example\n@@ -1 +1 @@\n-A=\n+A=x\n',
  ])('is nothing that only speaks of one: %j', (text) => expect(filtered(text)).toBe(text));

  it('is no line that is too long to be one', () => {
    expect(filtered(`${'-'.repeat(10_000)}\n`)).toBe(`${'-'.repeat(10_000)}\n`);
  });

  it('is the same however the text arrives', () => {
    const lines = fc.constantFrom(
      ...`${OTHER}${HEAD}@@ -1,2 +1,2 @@\n A=1\n-B\n+C\n\\ No\n`.split(/(?<=\n)/),
      'commit abcdef1\n',
      '| * ',
      '\u001b[31m',
      '\u001b[',
      ' '.repeat(5000),
      'diff --git ',
      '"a/.env"',
      '\n',
      'x',
    );
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.join('');
        const filter = new CredentialDiff(isCredentialFile);
        let out = '';
        for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size));
        expect(out + filter.end()).toBe(filtered(text));
        expect(filtered(filtered(text))).toBe(filtered(text));
      }),
      { numRuns: 300 },
    );
  });

  it('does not hold back text that is none', () => {
    const filter = new CredentialDiff(isCredentialFile);
    expect(filter.push('Hello ')).toBe('Hello ');
    expect(filter.push('world\ndi')).toBe('world\n');
    expect(filter.push('gest')).toBe('digest');
  });
});

describe('what git itself prints', () => {
  let folder: string;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'credential-diff-'));
    git('init', '-q');
    for (const [index, value] of ['correcthorse', 'batterystaple', 'tr0ubador'].entries()) {
      writeFileSync(join(folder, '.env'), `NAME=one\nKEY=${value}\nA=1\nB=2\nC=3\nD=4\nLAST=${value}\n`);
      writeFileSync(join(folder, 'readme.txt'), `version ${index}\n`);
      git('add', '-f', '.');
      git('commit', '-q', '-m', `commit number ${index}`);
    }
    writeFileSync(join(folder, '.env'), 'KEY=uncommitted\nLAST=correcthorse\n');
    writeFileSync(join(folder, 'readme.txt'), 'version 9\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const scrubber = new PatternSecretScrubber({ isCredentialFile });

  const CALLS: readonly (readonly string[])[] = [
    ['diff'],
    ['diff', '--cached', 'HEAD~1'],
    ['diff', '--color=always'],
    ['diff', '--word-diff'],
    ['diff', '--word-diff=porcelain'],
    ['diff', '--color-words'],
    ['diff', '-U0'],
    ['diff', '-W'],
    ['diff', '--no-prefix'],
    ['diff', '--src-prefix=old/', '--dst-prefix=new/'],
    ['diff', '-R', '--binary'],
    ['diff', '--output-indicator-new=>', '--output-indicator-old= '],
    ['diff', '--output-indicator-new= ', '--output-indicator-old=+'],
    ['diff', '--line-prefix=| '],
    ['show'],
    ['show', '--format=%H'],
    ['log', '-p'],
    ['log', '-p', '--graph', '--color=always'],
    ['log', '-p', '--oneline'],
    ['log', '-p', '--reverse', '--stat'],
    ['format-patch', '--stdout', '--root', 'HEAD'],
    ['diff-tree', '-p', 'HEAD'],
    ['log', '-p', '--output-indicator-new= ', '--output-indicator-old= '],
  ];
  it.each(CALLS.map((args) => [args.join(' '), args] as const))(
    'is shown without credentials: git %s',
    (_call, args) => {
      const plain = git(...args);
      expect(plain).toMatch(/correcthorse|batterystaple|tr0ubador|uncommitted/);
      const shown = scrubber.scrub(plain);
      expect(shown).not.toMatch(/correcthorse|batterystaple|tr0ubador|uncommitted|NAME=one/);
      expect(shown).toContain(WITHHELD);
      expect(shown).toContain('version');
    },
  );

  it('keeps the commits of a log apart', () => {
    for (const form of [[], ['--oneline'], ['--graph'], ['--format=%s']]) {
      const shown = scrubber.scrub(git('log', '-p', ...form));
      for (const index of [0, 1, 2]) expect(shown).toContain(`commit number ${index}`);
    }
  });
});
