import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processTable } from '../process/process-table.js';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { createGlobTool, type GlobInput } from './glob.tool.js';
import { createGrepTool, type GrepInput } from './grep.tool.js';
import { listFiles } from './list-files.js';
import { ripgrepPath, type LocateRipgrep } from './ripgrep.js';
import { treeTool, type TreeInput } from './tree.tool.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

const ENGINES: readonly (readonly [string, LocateRipgrep])[] = [
  ['with ripgrep', ripgrepPath],
  ['without ripgrep', async () => null],
  ['with a binary that cannot run', async () => '/etc/passwd'],
];

describe.each(ENGINES)('searching %s', (_name, locate) => {
  let project: TestProject;
  afterEach(() => project.dispose());

  const globTool = createGlobTool();
  const grepTool = createGrepTool({ locate });
  const glob = (pattern: string, more: Partial<GlobInput> = {}) =>
    globTool.execute({ pattern, ...more }, project.ctx, toolOptions());
  const grep = (pattern: string, more: Partial<GrepInput> = {}) =>
    grepTool.execute({ pattern, ...more }, project.ctx, toolOptions());
  const files = async (pattern: string, more: Partial<GlobInput> = {}) =>
    textOf(await glob(pattern, more))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('[no '));

  describe('glob', () => {
    beforeEach(async () => {
      project = await createTestProject({
        'fileA.txt': 'contentA',
        'FileB.TXT': 'contentB',
        'sub/fileC.md': 'contentC',
        'sub/FileD.MD': 'contentD',
        'sub/deep/fileE.log': 'contentE',
      });
    });

    it('finds by name, whatever the case unless told', async () => {
      expect(await files('*.txt')).toEqual(['FileB.TXT', 'fileA.txt']);
      expect(await files('*.txt', { case_sensitive: true })).toEqual(['fileA.txt']);
      expect(await files('sub/*.md', { case_sensitive: true })).toEqual(['sub/fileC.md']);
    });

    it('finds below a path, and names what it finds from the working folder', async () => {
      expect(await files('*.md', { path: 'sub', case_sensitive: true })).toEqual(['sub/fileC.md']);
      expect(await files('*.md', { path: project.at('sub'), case_sensitive: true })).toEqual([
        'sub/fileC.md',
      ]);
      expect(await files('**/*.log')).toEqual(['sub/deep/fileE.log']);
    });

    it('says when nothing matches, and hints at a search below', async () => {
      expect(textOf(await glob('*.none'))).toBe('[no file matches; **/*.none searches below too]');
    });

    it('takes brackets and parentheses in folders as themselves', async () => {
      const path = 'src/app/[test]/(dashboard)/testing/components/code.tsx';
      await project.write(path, 'content');
      expect(await files(path)).toEqual([path]);
      expect(await files('src/app/[test]/**/*.tsx')).toEqual([path]);
      expect(await files('**/(dashboard)/**')).toEqual([path]);
      expect(await files('src/*/[test]/(dash*)/**/code.{ts,tsx}')).toEqual([path]);
    });

    it.each([
      [{ pattern: '' }, 'tool.bad_input'],
      [{ pattern: '*', path: 123 }, 'tool.bad_input'],
      [{ pattern: '*', limit: 0 }, 'tool.bad_input'],
      [{ pattern: '../*' }, 'glob.invalid'],
      [{ pattern: 'a/../../*' }, 'glob.invalid'],
      [{ pattern: '/etc/*' }, 'glob.invalid'],
      [{ pattern: 'a\0b' }, 'glob.invalid'],
      [{ pattern: '*', path: 'missing' }, 'fs.not_found'],
      [{ pattern: '*', path: 'fileA.txt' }, 'fs.not_a_folder'],
    ])('refuses %j', async (input, code) => {
      expect(await codeOfRejection(globTool.execute(input as GlobInput, project.ctx, toolOptions()))).toBe(
        code,
      );
    });

    it('claims the folder it looks into, so that policy sees one outside', async () => {
      const claims = globTool.describeCall?.(
        { pattern: '*', path: '../' },
        { cwd: project.root, projectRoot: project.root },
      );
      expect(claims?.paths).toEqual([{ path: '../', access: 'read' }]);
      const decidedPaths = [project.root];
      const call = globTool.execute(
        { pattern: '*', path: '../' },
        project.ctx,
        toolOptions({ decidedPaths }),
      );
      expect(await codeOfRejection(call)).toBe('path.changed');
      await writeFile(join(project.outside, 'o.txt'), '');
      expect(await files('*.txt', { path: '../out' })).toEqual([join(project.outside, 'o.txt')]);
    });

    it('finds hidden files, not ignored ones, also without a repository', async () => {
      for (const path of [
        'node_modules/p/j.js',
        '.github/w.js',
        'dist/x.js',
        'keep.js',
        'sub/skip.js',
        '.git/hook.js',
        'sub/other/dist/y.js',
      ]) {
        await project.write(path, 'hit');
      }
      await project.write('.gitignore', '# made\n/dist/\nskip.js \n');
      await project.write('sub/.gitignore', '!skip.js\n');
      expect(await files('**/*.js')).toEqual([
        '.github/w.js',
        'keep.js',
        'sub/other/dist/y.js',
        'sub/skip.js',
      ]);
      expect(await files('node_modules/p/*.js')).toEqual(['node_modules/p/j.js']);
      expect(await files('*.js', { path: 'node_modules/p' })).toEqual(['node_modules/p/j.js']);
    });

    it('heeds ignore files above the folder that it looks into', async () => {
      await project.write('.gitignore', '*.log\n');
      expect(await files('**/*.log', { path: 'sub/deep' })).toEqual([]);
      await project.write('sub/deep/.gitignore', '!*.log\n');
      expect(await files('**/*.log', { path: 'sub/deep' })).toEqual(['sub/deep/fileE.log']);
    });

    it('follows no links', async () => {
      await writeFile(join(project.outside, 'secret.txt'), '');
      await symlink(project.outside, project.at('link'));
      await symlink('.', project.at('loop'));
      expect(await files('**/secret.txt')).toEqual([]);
      expect(await files('link/*')).toEqual([]);
      expect(await files('**/*.log')).toEqual(['sub/deep/fileE.log']);
    });

    it('stops at the limit, in order, and says so', async () => {
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          project.write(`many/${String(index).padStart(2, '0')}.x`, ''),
        ),
      );
      const text = textOf(await glob('**/*.x', { limit: 3 }));
      expect(text).toBe(
        'many/00.x\nmany/01.x\nmany/02.x\n[more than 3 files match: narrow the pattern or raise limit]',
      );
    });

    it('looks only where a pattern can match', async () => {
      await project.write('sub/one/x.ts', '');
      await project.write('sub/two/x.ts', '');
      await project.write('sub/two/deep/x.ts', '');
      expect(await files('s*/{one,two}/*.ts')).toEqual(['sub/one/x.ts', 'sub/two/x.ts']);
      expect(await files('**/t?o/**')).toEqual(['sub/two/deep/x.ts', 'sub/two/x.ts']);
      expect(await files('**/deep/**/x.*')).toEqual(['sub/two/deep/x.ts']);
    });

    it('stops when it is aborted', async () => {
      const call = globTool.execute({ pattern: '**' }, project.ctx, { signal: AbortSignal.abort() });
      await expect(call).rejects.toThrow();
    });
  });

  it('shows a name with a line break as one name', async () => {
    project = await createTestProject({ 'a\nREADME.md': 'hit\n' });
    const quoted = JSON.stringify('a\nREADME.md');
    expect(textOf(await glob('*'))).toBe(quoted);
    expect(textOf(await grep('hit'))).toBe(`${quoted}\n1: hit`);
    expect(textOf(await treeTool.execute({} satisfies TreeInput, project.ctx, toolOptions()))).toBe(quoted);
  });

  describe('grep', () => {
    beforeEach(async () => {
      project = await createTestProject({
        'fileA.txt': 'hello world\nsecond line with world',
        'fileB.js': 'const foo = "bar";\nfunction baz() { return "hello"; }',
        'sub/fileC.txt': 'another world in sub dir',
        'sub/fileD.md': '# Markdown file\nThis is a test.',
      });
    });

    it('finds lines, grouped by file', async () => {
      expect(textOf(await grep('world'))).toBe(
        'fileA.txt\n1: hello world\n2: second line with world\n\nsub/fileC.txt\n1: another world in sub dir',
      );
    });

    it('searches below a folder, or one file', async () => {
      expect(textOf(await grep('world', { path: 'sub' }))).toBe('sub/fileC.txt\n1: another world in sub dir');
      expect(textOf(await grep('world', { path: 'sub/fileC.txt' }))).toBe(
        'sub/fileC.txt\n1: another world in sub dir',
      );
      expect(textOf(await grep('hello', { glob: '*.js' }))).toBe(
        'fileB.js\n2: function baz() { return "hello"; }',
      );
      expect(textOf(await grep('world', { glob: '!sub/**', mode: 'files' }))).toBe('fileA.txt');
    });

    it('can ignore case, and give files or counts alone', async () => {
      expect(textOf(await grep('HELLO'))).toBe('[no match]');
      expect(textOf(await grep('HELLO', { case_sensitive: false, mode: 'files' }))).toBe(
        'fileA.txt\nfileB.js',
      );
      expect(textOf(await grep('world', { mode: 'count' }))).toBe('fileA.txt: 2\nsub/fileC.txt: 1');
    });

    it('shows lines around a match', async () => {
      await project.write('c.txt', 'a\nb\nHIT\nc\nd\ne\nf\nHIT\n');
      expect(textOf(await grep('HIT', { path: 'c.txt', context: 1 }))).toBe(
        'c.txt\n2- b\n3: HIT\n4- c\n--\n7- f\n8: HIT',
      );
    });

    it('reports an invalid expression and a missing path', async () => {
      for (const pattern of ['[[', '(', 'a{2,1}', '*']) {
        expect(await codeOfRejection(grep(pattern))).toBe('grep.bad_pattern');
      }
      expect(await codeOfRejection(grep('x', { path: 'nonexistent' }))).toBe('fs.not_found');
      for (const input of [
        { pattern: '' },
        { pattern: 'x', mode: 'lines' },
        { pattern: 'a\0' },
        { pattern: 3 },
      ]) {
        expect(await codeOfRejection(grepTool.execute(input as GrepInput, project.ctx, toolOptions()))).toBe(
          'tool.bad_input',
        );
      }
    });

    it('takes nothing for an option', async () => {
      await project.write('a.txt', '--pre=./x.sh\n-e\n');
      await project.write('x.sh', `#!/bin/sh\ntouch ${project.outside}/CANARY\ncat "$1"\n`);
      await project.write('--files/in.txt', 'needle\n');
      await project.write('-v', 'needle\n');
      await chmod(project.at('x.sh'), 0o755);
      expect(textOf(await grep('--pre=./x.sh', { path: '.' }))).toBe('a.txt\n1: --pre=./x.sh');
      expect(textOf(await grep('-e', { path: 'a.txt' }))).toBe('a.txt\n2: -e');
      expect(textOf(await grep('needle', { path: '--files' }))).toBe('--files/in.txt\n1: needle');
      expect(textOf(await grep('needle', { path: '-v' }))).toBe('-v\n1: needle');
      expect(textOf(await grep('needle', { glob: '--pre=./x.sh' }))).toBe('[no match]');
      expect(await readdir(project.outside)).toEqual([]);
    });

    it('searches hidden files and not ignored ones', async () => {
      for (const path of ['node_modules/p/j.js', '.github/w.yml', 'a.js', 'out/gen.js', '.git/config'])
        await project.write(path, 'hit\n');
      await project.write('.ignore', 'out\n');
      expect(textOf(await grep('hit', { mode: 'files' }))).toBe('.github/w.yml\na.js');
    });

    it('opens files of secrets only when they are named', async () => {
      for (const path of [
        '.env',
        'sub/.env.local',
        'server.pem',
        'id_rsa',
        '.npmrc',
        'credentials',
        '.kube/config',
        'x/.ssh/known_hosts',
      ])
        await project.write(path, 'TOKEN=abc\n');
      for (const path of ['.env.example', 'id_rsa.pub', 'env.ts']) await project.write(path, 'TOKEN=abc\n');
      expect(textOf(await grep('TOKEN', { mode: 'files' }))).toBe('.env.example\nenv.ts\nid_rsa.pub');
      expect(textOf(await grep('TOKEN=abc', { mode: 'files', glob: '.env' }))).toBe('[no match]');
      expect(textOf(await grep('TOKEN', { path: '.env' }))).toBe('.env\n1: TOKEN=abc');
    });

    it('says which binary files hold the text, and shows nothing of them', async () => {
      await project.write('before.bin', 'needle\nmore\0needle\n');
      expect(textOf(await grep('needle'))).toBe(
        '[no match]\n[a binary file matches and is not shown: before.bin]',
      );
      await project.write('sub/behind.bin', Buffer.concat([Buffer.alloc(100_000), Buffer.from('a needle')]));
      await project.write('other.bin', 'noodle\0');
      expect(textOf(await grep('needle', { mode: 'files' }))).toBe(
        '[no match]\n[2 binary files match and are not shown: before.bin, sub/behind.bin]',
      );
      expect(textOf(await grep('needle', { path: 'sub/behind.bin' }))).toBe(
        '[no match]\n[a binary file matches and is not shown: sub/behind.bin]',
      );
      for (let index = 0; index < 5; index += 1) await project.write(`n${index}.bin`, 'needle\0');
      expect(textOf(await grep('needle'))).toMatch(/\[7 binary files match and are not shown: .*, …\]$/);
    });

    it('leaves out binary files, and reads marked UTF-16', async () => {
      await project.write('b.bin', Buffer.from('needle\nmore\0needle\n'));
      await project.write(
        'w.txt',
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide needle\n', 'utf16le')]),
      );
      await project.write('crlf.txt', 'one needle\r\ntwo\r\n');
      expect(textOf(await grep('needle'))).toBe(
        'crlf.txt\n1: one needle\n\nw.txt\n1: wide needle\n[a binary file matches and is not shown: b.bin]',
      );
    });

    it('cuts long lines, and stops at the limit', async () => {
      await project.write('min.js', `needle${'x'.repeat(5000)}`);
      expect(textOf(await grep('needle', { path: 'min.js' }))).toBe(
        `min.js\n1: needle${'x'.repeat(494)}… [5006 characters]`,
      );
      await project.write('many.txt', 'needle\n'.repeat(5000));
      expect(textOf(await grep('needle', { path: 'many.txt', limit: 2 }))).toBe(
        'many.txt\n1: needle\n2: needle\n[limit of 2 matches reached: narrow the search or raise limit]',
      );
      expect(textOf(await grep('world', { mode: 'files', limit: 1 }))).toMatch(
        /^fileA\.txt\n\[limit of 1 files/,
      );
    });

    it('gives the first files in order, however many more there are', async () => {
      const names = Array.from({ length: 60 }, (_, index) => `many/${String(index).padStart(2, '0')}.x`);
      await Promise.all(names.map((name) => project.write(name, 'needle\nneedle\n')));
      // The one that stays is the guard, which ends what we started should we be killed.
      await grep('needle', { limit: 1 });
      const ownGroups = (): number[] =>
        (processTable() ?? [])
          .filter(({ parent, group, pid }) => parent === process.pid && group === pid)
          .map(({ pid }) => pid);
      const before = ownGroups();
      expect(before.length).toBeLessThanOrEqual(1);
      // 2: far more than can be shown, the search begins again. 50: all is found, and then cut.
      for (const limit of [2, 50]) {
        const text = textOf(await grep('needle', { mode: 'files', limit }));
        expect(text.split('\n').slice(0, -1)).toEqual(names.slice(0, limit));
        expect(text).toMatch(/\n\[limit of \d+ files reached: [^\]]*\]$/);
      }
      expect(textOf(await grep('needle', { limit: 3 }))).toMatch(
        /^many\/00\.x\n1: needle\n2: needle\n\nmany\/01\.x\n1: needle\n\[limit of 3 matches/,
      );
      expect(ownGroups()).toEqual(before);
    });

    it('orders folders by their names, not by the spelling of whole paths', async () => {
      const paths = ['a/x', 'a-b/x', 'a.b/x', 'Z/x', 'z', '\u{1F642}/x', '\uFF01/x'];
      for (const path of paths) await project.write(`in/${path}`, 'needle\n');
      expect(textOf(await grep('needle', { mode: 'files' })).split('\n')).toEqual(
        ['Z/x', 'a/x', 'a-b/x', 'a.b/x', 'z', '\uFF01/x', '\u{1F642}/x'].map((path) => `in/${path}`),
      );
    });

    it('shows the limit of lines around, and counts all matches of a file', async () => {
      await project.write('c.txt', 'HIT\na\n'.repeat(40));
      expect(textOf(await grep('HIT', { path: 'c.txt', context: 1, limit: 2 }))).toBe(
        'c.txt\n1: HIT\n2- a\n3: HIT\n4- a\n[limit of 2 matches reached: narrow the search or raise limit]',
      );
      expect(textOf(await grep('HIT', { mode: 'count', limit: 1 }))).toBe('c.txt: 40');
    });

    it('stops when it is aborted', async () => {
      const call = grepTool.execute({ pattern: 'x' }, project.ctx, { signal: AbortSignal.abort() });
      await expect(call).rejects.toThrow();
    });
  });
});

describe('grep without ripgrep', () => {
  it('is what happens with a file that is no program', async () => {
    const project = await createTestProject({ 'a.txt': 'hit\n', rg: 'no program\n' });
    await chmod(project.at('rg'), 0o755);
    const grep = createGrepTool({ locate: async () => project.at('rg') });
    const output = await grep.execute({ pattern: 'hit' }, project.ctx, toolOptions());
    expect(textOf(output)).toBe('a.txt\n1: hit');
    await project.dispose();
  });

  it('interrupts an expression that backtracks without end', async () => {
    const project = await createTestProject({ 'a.txt': `${'a'.repeat(60)}!\n` });
    const grep = createGrepTool({ locate: async () => null });
    expect(await codeOfRejection(grep.execute({ pattern: '(a+)+$' }, project.ctx, toolOptions()))).toBe(
      'grep.bad_pattern',
    );
    await project.dispose();
  });
});

describe('both engines', () => {
  it.each([
    ['outside a repository', ['keep.log', 'deep/b.log', 'out/important', 'x.tmp']],
    ['inside a repository', ['inner/a.log', 'repo/b.log', 'keep.log']],
  ])('know the same ignore rules %s', async (where, expected) => {
    const project = await createTestProject({
      '.gitignore':
        'build/\n*.log\n!keep.log\n/top.txt\ndoc/**/draft.md\n\\#odd\na[0-9].x\nout/*\n!out/important\n*.tmp/\n',
    });
    const paths = [
      ...[
        'build/a',
        'src/build/a',
        'buildx/a',
        'a.log',
        'keep.log',
        'deep/b.log',
        'deep/keep.log',
        'top.txt',
        'deep/top.txt',
      ],
      ...[
        'doc/draft.md',
        'doc/a/b/draft.md',
        'draft.md',
        '#odd',
        'a1.x',
        'ab.x',
        'out/x',
        'out/important',
        'x.tmp',
        'y.tmp/z',
        'ümlaut.txt',
        'Z.txt',
        'a-b/c',
        'a/c',
        'a.b/c',
      ],
    ];
    for (const path of paths) await project.write(path, 'x');
    await project.write('deep/.ignore', '!b.log\n');
    await mkdir(project.at('inner/.git'), { recursive: true });
    await project.write('inner/a.log', 'x');
    execFileSync('git', ['init', '-q', project.at('repo')]);
    await project.write('repo/b.log', 'x');
    if (where === 'inside a repository') execFileSync('git', ['init', '-q', project.root]);
    const list = async (locate: LocateRipgrep) => {
      const found: string[] = [];
      const onFile = (path: string) => (found.push(path) > 1000 ? 'stop' : 'more');
      expect(await listFiles({ root: project.root, onFile, opts: toolOptions(), locate })).toBe('complete');
      return found;
    };
    const walked = await list(async () => null);
    expect(walked).toEqual(await list(ripgrepPath));
    expect(walked).toEqual(expect.arrayContaining(expected));
    const globbed = await createGlobTool().execute({ pattern: '**' }, project.ctx, toolOptions());
    expect(textOf(globbed).split('\n')).toEqual(walked);
    const grep = createGrepTool();
    const searched = await grep.execute({ pattern: '^x$', mode: 'files' }, project.ctx, toolOptions());
    expect(textOf(searched).split('\n')).toEqual(
      walked.filter((path) => !/(?:^|\/)\.[^/]*ignore$/.test(path)),
    );
    await project.dispose();
  });
});

describe('tree', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject({
      'a.txt': '',
      'src/deep/er/x.ts': '',
      'src/i.ts': '',
      'node_modules/p/x.js': '',
      '.gitignore': 'dist\n',
      'dist/o.js': '',
    });
    await mkdir(project.at('empty'));
  });
  afterEach(() => project.dispose());

  const tree = (input: TreeInput = {}) => treeTool.execute(input, project.ctx, toolOptions());

  it('shows folders before what they hold, as deep as asked', async () => {
    expect(textOf(await tree())).toBe('.gitignore\na.txt\nempty/\nsrc/\n  deep/\n    er/ …\n  i.ts');
    expect(textOf(await tree({ depth: 1 }))).toBe('.gitignore\na.txt\nempty/ …\nsrc/ …');
    expect(textOf(await tree({ path: 'src/deep', depth: 5 }))).toBe('er/\n  x.ts');
  });

  it('says when it is cut, or when there is nothing', async () => {
    expect(textOf(await tree({ limit: 2 }))).toBe(
      '.gitignore\na.txt\n[more than 2 entries: name a folder as path, or raise limit]',
    );
    expect(textOf(await tree({ path: 'empty' }))).toBe('[the folder is empty]');
  });

  it('refuses a file, a missing folder and odd numbers', async () => {
    expect(await codeOfRejection(tree({ path: 'a.txt' }))).toBe('fs.not_a_folder');
    expect(await codeOfRejection(tree({ path: 'missing' }))).toBe('fs.not_found');
    expect(await codeOfRejection(tree({ depth: 0 }))).toBe('tool.bad_input');
  });
});
