import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import type { ReplaceInput } from './replace-request.js';
import { createReplaceTool } from './replace.tool.js';

const tool = createReplaceTool();

describe('replace', () => {
  let project: TestProject;
  const run = (input: ReplaceInput) => tool.execute(input, project.ctx, toolOptions());
  const content = (path: string): Promise<string> => readFile(project.at(path), 'utf8');
  afterEach(() => project.dispose());

  describe('one text over a folder', () => {
    beforeEach(async () => {
      project = await createTestProject({
        'src/a.ts': 'const old = old1;\r\n',
        'src/b.ts': 'none\n',
        'src/c.md': 'old\n',
        'build/x.ts': 'old\n',
        '.gitignore': 'build/\n',
        '.github/workflows/ci.yml': 'run: old\n',
        '.env': 'OLD=old\n',
        Jenkinsfile: 'old\n',
      });
    });

    it('only says which files would change: what was not claimed by name is not written', async () => {
      const output = await run({ path: '.', search: 'old', replacement: 'new' });
      expect(textOf(output)).toBe(
        '.github/workflows/ci.yml +1 -1\nJenkinsfile +1 -1\nsrc/a.ts +1 -1\nsrc/c.md +1 -1\n'
          .replace(/^/gm, 'M ')
          .replace(/M $/, '') +
          '[nothing written; 5 places; call again with these files as path to change them]',
      );
      expect(await content('src/a.ts')).toBe('const old = old1;\r\n');
      expect(textOf(output)).not.toContain('.env');
    });

    it('changes every place of the named files to the letter, and claims just them', async () => {
      const input = { path: ['src/a.ts', 'src/c.md', 'src/b.ts'], search: 'old', replacement: "$&$'new" };
      expect(textOf(await run(input))).toBe('M src/a.ts +1 -1\nM src/c.md +1 -1\n[3 places]');
      expect(await content('src/a.ts')).toBe("const $&$'new = $&$'new1;\r\n");
      expect(await content('build/x.ts')).toBe('old\n');
      const claims = tool.describeCall?.(input, { cwd: '/ws', projectRoot: '/ws' });
      const written = claims?.paths?.filter(({ access }) => access === 'write').map(({ path }) => path);
      expect(written).toEqual(input.path);
    });

    it('takes only the files of a glob', async () => {
      expect(textOf(await run({ path: '.', search: 'old', replacement: 'new', glob: '*.md' }))).toContain(
        'M src/c.md +1 -1\n[nothing written; 1 place;',
      );
    });

    it('only counts in a dry run, for which it claims no write', async () => {
      const input = { path: 'src', search: 'OLD', replacement: 'new', case_sensitive: false, dry_run: true };
      expect(textOf(await run(input))).toContain('[nothing written; 3 places]');
      expect(await content('src/c.md')).toBe('old\n');
      const claims = tool.describeCall?.(input, { cwd: '/ws', projectRoot: '/ws' });
      expect(claims).toEqual({
        paths: [{ path: 'src', access: 'read', recursive: true }],
        command: null,
        cwd: '/ws',
        urls: [],
      });
    });

    it('changes no file when one of them is stale', async () => {
      project.ctx.recordRead(project.at('src/c.md'), (await stat(project.at('src/c.md'))).mtimeMs);
      await writeFile(project.at('src/c.md'), 'old and more\n');
      const input = { path: ['src/a.ts', 'src/c.md'], search: 'old', replacement: 'new' };
      expect(await codeOfRejection(run(input))).toBe('fs.stale');
      expect(await content('src/a.ts')).toBe('const old = old1;\r\n');
    });

    it('follows no link', async () => {
      await writeFile(`${project.outside}/o.ts`, 'old\n');
      await symlink(`${project.outside}/o.ts`, project.at('src/l.ts'));
      expect(textOf(await run({ path: 'src', search: 'old', replacement: 'new' }))).not.toContain('l.ts');
      expect(await codeOfRejection(run({ path: 'src/l.ts', search: 'old', replacement: 'new' }))).toBe(
        'path.link_leaves_project',
      );
    });

    it('says when nothing matches', async () => {
      expect(textOf(await run({ path: 'src', search: 'absent', replacement: 'x' }))).toContain(
        'nothing matches',
      );
    });
  });

  describe('a regular expression', () => {
    it('has groups', async () => {
      project = await createTestProject({ 'a.ts': 'foo(1, 2)\nfoo(3, 4)\n' });
      await run({ path: 'a.ts', search: 'foo\\((\\d), (\\d)\\)$', replacement: 'bar($2, $1)', regex: true });
      expect(await content('a.ts')).toBe('bar(2, 1)\nbar(4, 3)\n');
    });

    it('that explodes is stopped, and nothing is written', async () => {
      project = await createTestProject({ 'a.ts': 'a\n', 'b.ts': `${'a'.repeat(40)}!\n` });
      const bounded = createReplaceTool({ regexTimeoutMs: 300 });
      const input = { path: '.', search: '(a+)+$|^a$', replacement: 'x', regex: true };
      const work = bounded.execute(input, project.ctx, toolOptions());
      await expect(work).rejects.toMatchObject({ code: 'replace.regex_failed' });
      expect(await content('a.ts')).toBe('a\n');
    });

    it('that explodes ends with the call', async () => {
      project = await createTestProject({ 'b.ts': `${'a'.repeat(40)}!\n` });
      const abort = new AbortController();
      const input = { path: 'b.ts', search: '(a+)+$', replacement: 'x', regex: true };
      const work = tool.execute(input, project.ctx, toolOptions({ signal: abort.signal }));
      setTimeout(() => abort.abort(), 200);
      expect(await codeOfRejection(work)).toBe('aborted');
    });

    it('that is none is refused', async () => {
      project = await createTestProject({ 'a.ts': 'a\n' });
      const code = codeOfRejection(run({ path: 'a.ts', search: '(', replacement: '', regex: true }));
      expect(await code).toBe('tool.bad_input');
    });
  });

  describe('several edits of one file', () => {
    const three = 'Hello world\nThis is a test file\nGoodbye world';
    it.each([
      [
        'all of them',
        three,
        [
          { old_string: 'Hello world', new_string: 'Hi there' },
          { old_string: 'Goodbye world', new_string: 'See you later' },
        ],
        'Hi there\nThis is a test file\nSee you later',
      ],
      [
        'each sees the one before',
        three,
        [
          { old_string: 'Hello world', new_string: 'Hi universe' },
          { old_string: 'Hi universe', new_string: 'Greetings cosmos' },
        ],
        'Greetings cosmos\nThis is a test file\nGoodbye world',
      ],
      [
        'some everywhere',
        'x y x z x',
        [
          { old_string: 'x', new_string: 'a', replace_all: true },
          { old_string: 'y', new_string: 'b' },
        ],
        'a b a z a',
      ],
    ])('%s', async (_title, before, edits, after) => {
      project = await createTestProject({ 'test.txt': before });
      await run({ path: 'test.txt', edits });
      expect(await content('test.txt')).toBe(after);
    });

    it('or none, and an empty list is refused', async () => {
      project = await createTestProject({ 'test.txt': three });
      const edits = [
        { old_string: 'Hello', new_string: 'Hi' },
        { old_string: 'absent', new_string: 'x' },
      ];
      await expect(run({ path: 'test.txt', edits })).rejects.toMatchObject({
        code: 'edit.not_found',
        path: '/edits/1',
      });
      expect(await codeOfRejection(run({ path: 'test.txt', edits: [] }))).toBe('tool.bad_input');
      expect(await codeOfRejection(run({ path: 'test.txt', edits, search: 'x' }))).toBe('tool.bad_input');
      expect(await content('test.txt')).toBe(three);
    });

    it('are a diff card, pending and done', async () => {
      project = await createTestProject({ 'a.txt': 'one\n' });
      const input = { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] };
      expect(tool.presentCall?.(input)).toEqual({
        card: 'diff',
        title: 'a.txt',
        diffs: [{ path: 'a.txt', oldText: 'one', newText: 'two' }],
        locations: [{ path: 'a.txt' }],
      });
      const { content: blocks, meta } = await run(input);
      expect(tool.presentResult?.(input, { content: blocks, isError: false, meta })).toMatchObject({
        card: 'diff',
        title: 'a.txt · 1 file · +1 -1',
      });
    });
  });
});
