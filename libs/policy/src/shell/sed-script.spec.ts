import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readSedScripts } from './sed-script.js';
import { staticWord } from './shell-word.js';

const read = (...args: string[]) => readSedScripts(args.map((arg) => staticWord(arg)));

describe('a sed script', () => {
  it.each([
    'p',
    '1,5p',
    '/a/,/b/{p;q}',
    '$!d',
    '\\%x%Ip',
    '/[]/]/d',
    'N;P;D',
    'y/ab/cd/',
    ':a;n;ba',
    '1~2d',
    '/a/!{=}',
  ])('%s only prints, deletes or moves text', (script) => {
    const found = read(script, 'f');
    expect(found).toMatchObject({
      runs: [],
      writes: [],
      unreadable: script === '/[]/]/d' ? expect.stringMatching(/differently/) : null,
    });
  });

  it.each([
    ['1e id', ['id']],
    ['/x/,/y/ e id', ['id']],
    [':a;e id', ['id']],
    ['s/a/b/ge', [null]],
    ['e', [null]],
    ['s,/,x,;e id', ['id']],
    ['a text\ne id', ['id']],
  ])('%s runs a program', (script, runs) => {
    expect(read(script).runs).toEqual(runs);
  });

  it.each(['a e id', 's/e id/x/', 'a x\\\ne id', '# e id', 'y/e/x/', '/e id/p'])(
    '%s runs nothing',
    (script) => {
      expect(read(script)).toMatchObject({ runs: [], unreadable: null });
    },
  );

  it('names the files that it writes and reads', () => {
    expect(read('s/a/b/w out', 'in').writes.map((word) => word.value)).toEqual(['out']);
    expect(read('w a;b').writes.map((word) => word.value)).toEqual(['a;b']);
    expect(read('-e', 'r notes', 'in').reads.map((word) => word.value)).toEqual(['notes']);
    expect(read('-n', 'p', 'w out').files.map((word) => word.value)).toEqual(['w out']);
  });

  it('edits in place with any spelling of -i', () => {
    expect(
      ['-i', '-i.bak', '-ni', '--in-place', '--in-place=.b', '-Ei'].map(
        (option) => read(option, 'p', 'f').inPlace,
      ),
    ).toEqual([true, true, true, true, true, true]);
    expect(read('-n', 'p', 'f').inPlace).toBe(false);
  });
});

describe('the installed sed', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sed-script-'));
    writeFileSync(join(folder, 'in'), 'a\nb\nc\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('never runs or writes what the reading does not know of', () => {
    const piece = fc.constantFrom(
      'e touch ran',
      'w written',
      's/a/b/',
      's/a/b/w written',
      's/[/]/x/',
      's,[,],x,',
      'p',
      'n',
      '$!',
      '1',
      '/a/',
      '\\,a,',
      '{',
      '}',
      ';',
      ';',
      '\n',
      '\n',
      'a text',
      'a\\\n',
      'i\\',
      ':l',
      'b l',
      'y/a/b/',
      '#',
      ' ',
      '!',
      '1,2',
      '\\',
      'c x',
      'q',
      'r in',
    );
    const scripts = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
      { numRuns: 200, seed: 20_266 },
    );
    for (const script of scripts) {
      try {
        execFileSync('sed', ['-n', script, 'in'], { cwd: folder, stdio: 'ignore', timeout: 5_000 });
      } catch {
        // A script that sed refuses may still have created its output files.
      }
      const found = read('-n', script, 'in');
      const made = readdirSync(folder).filter((name) => name !== 'in');
      if (existsSync(join(folder, 'ran')))
        expect([script, found.runs.length > 0 || found.unreadable !== null]).toEqual([script, true]);
      if (existsSync(join(folder, 'written')))
        expect([script, found.writes.length + found.runs.length > 0 || found.unreadable !== null]).toEqual([
          script,
          true,
        ]);
      for (const name of made) rmSync(join(folder, name));
    }
  });
});
