import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { editTool } from '../fs/edit.tool.js';
import { readTool } from '../fs/read.tool.js';
import { writeTool } from '../fs/write.tool.js';
import { createGlobTool } from '../search/glob.tool.js';
import { createGrepTool } from '../search/grep.tool.js';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { isInside, realTarget, safeResolve, safeResolveReal } from './resolve-path.js';
import { swapFolder } from './swap-folder.spec-support.js';

// Real processes on a machine that may be busy.
jest.setTimeout(30_000);

describe('paths', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject({ 'in.txt': 'inside\n' });
    await writeFile(join(project.outside, 'secret.txt'), 'secret\n');
  });
  afterEach(() => project.dispose());

  const read = (path: string, more = {}) => readTool.execute({ path }, project.ctx, toolOptions(more));
  const write = (path: string, more = {}) =>
    writeTool.execute({ path, content: 'x' }, project.ctx, toolOptions(more));

  describe('safeResolve', () => {
    it('contains by segments, not by string prefix', () => {
      expect(safeResolve('/ws', 'a/../b')).toBe('/ws/b');
      expect(safeResolve('/ws', '..b')).toBe('/ws/..b');
      for (const path of ['../ws-evil/s', '/ws-evil/s', '..', 'a/../../x']) {
        expect(() => safeResolve('/ws', path)).toThrow(expect.objectContaining({ code: 'path.outside' }));
      }
      expect(isInside('/ws', '/ws-evil')).toBe(false);
      expect(isInside('/', '/anything')).toBe(true);
    });

    it('refuses what is no path', () => {
      expect(() => safeResolve('/ws', '')).toThrow('empty');
      expect(() => safeResolve('/ws', 'a\0b')).toThrow('NUL');
    });
  });

  describe('safeResolveReal', () => {
    it('follows links of folders, of files and of files that are not there yet', async () => {
      await symlink(project.outside, project.at('link'));
      await symlink(join(project.outside, 'not-there-yet'), project.at('dangling'));
      await symlink('in.txt', project.at('inner'));
      expect(await safeResolveReal(project.root, 'inner')).toBe(project.at('in.txt'));
      expect(await safeResolveReal(project.root, 'new/deep/file')).toBe(project.at('new/deep/file'));
      for (const path of ['link/secret.txt', 'link/new.xml', 'dangling', 'link/a/b/c']) {
        expect(await codeOfRejection(safeResolveReal(project.root, path))).toBe('path.outside');
      }
    });

    it('ends closed on circles, files used as folders and endless names', async () => {
      await symlink('b', project.at('a'));
      await symlink('a', project.at('b'));
      for (const path of ['a', 'in.txt/below', 'x'.repeat(5000)]) {
        expect(await codeOfRejection(realTarget(project.at(path)))).toBe('path.unresolvable');
        expect(await codeOfRejection(read(path))).toBe('path.unresolvable');
      }
    });
  });

  describe('file tools', () => {
    it('write nothing through a link that leaves the project', async () => {
      await symlink(project.outside, project.at('link'));
      await symlink(join(project.outside, 'not-there-yet'), project.at('out.txt'));
      await symlink(join(project.outside, 'secret.txt'), project.at('s.txt'));
      for (const path of ['link/new.xml', 'out.txt', 's.txt']) {
        expect(await codeOfRejection(write(path))).toBe('path.link_leaves_project');
      }
      const edit = editTool.execute(
        { path: 's.txt', old_string: 'secret', new_string: 'x' },
        project.ctx,
        toolOptions(),
      );
      expect(await codeOfRejection(edit)).toBe('path.link_leaves_project');
      expect(await readdir(project.outside)).toEqual(['secret.txt']);
      expect(await readFile(join(project.outside, 'secret.txt'), 'utf8')).toBe('secret\n');
    });

    it('end at a decided path or nowhere', async () => {
      await symlink(join(project.outside, 'secret.txt'), project.at('s.txt'));
      expect(await codeOfRejection(read('s.txt', { decidedPaths: [project.at('s.txt')] }))).toBe(
        'path.changed',
      );
      expect(await codeOfRejection(write('new.txt', { decidedPaths: [project.at('other.txt')] }))).toBe(
        'path.changed',
      );
      expect(textOf(await read('s.txt', { decidedPaths: [join(project.outside, 'secret.txt')] }))).toBe(
        'secret',
      );
    });

    it('may work outside the project when that was decided', async () => {
      await writeTool.execute({ path: '../out/new.txt', content: 'x' }, project.ctx, toolOptions());
      expect(textOf(await read(join(project.outside, 'new.txt')))).toBe('x');
    });

    it('answer at once about what is no file', async () => {
      execFileSync('mkfifo', [project.at('pipe')]);
      await mkdir(project.at('folder'));
      const server = createServer().listen(project.at('socket'));
      await new Promise((resolve) => server.once('listening', resolve));
      try {
        expect(await codeOfRejection(read('folder'))).toBe('fs.is_folder');
        expect(await codeOfRejection(write('folder'))).toBe('fs.is_folder');
        expect(await codeOfRejection(read('.'))).toBe('fs.is_folder');
        for (const path of ['pipe', 'socket', '/dev/zero', '/dev/tty']) {
          expect(await codeOfRejection(read(path))).toBe('fs.not_a_file');
          expect(await codeOfRejection(write(path))).toBe('fs.not_a_file');
        }
      } finally {
        server.close();
      }
    });
  });

  describe('while another thread swaps the folder for a link to the outside', () => {
    it('nothing outside is created or changed, and what is written is written inside', async () => {
      await mkdir(project.at('d'));
      const swapping = swapFolder(project.at('d'), project.outside);
      const outcomes = { written: 0, refused: 0 };
      for (let round = 0; round < 100; round += 1) {
        try {
          await writeTool.execute({ path: `d/new-${round}/f.txt`, content: 'x' }, project.ctx, toolOptions());
          outcomes.written += 1;
        } catch {
          outcomes.refused += 1;
        }
      }
      await swapping.stop();
      expect(outcomes.written + outcomes.refused).toBe(100);
      expect(await readdir(project.outside)).toEqual(['secret.txt']);
      const left = await readdir(project.root, { recursive: true });
      expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    });

    it('nothing outside is found', async () => {
      await project.write('d/harmless.txt', 'a secret place\n');
      const decidedPaths = [project.at('d')];
      const swapping = swapFolder(project.at('d'), project.outside);
      const texts: string[] = [];
      for (let round = 0; round < 20; round += 1) {
        const call = createGrepTool().execute(
          { pattern: 'secret', path: 'd' },
          project.ctx,
          toolOptions({ decidedPaths }),
        );
        texts.push(await call.then(textOf, () => ''));
        const globbed = createGlobTool().execute({ pattern: '**/*.txt' }, project.ctx, toolOptions());
        texts.push(await globbed.then(textOf, () => ''));
      }
      await swapping.stop();
      expect(texts.filter((text) => text.includes('secret.txt'))).toEqual([]);
    });

    it('nothing outside is read that was not decided', async () => {
      await project.write('d/secret.txt', 'harmless\n');
      const decidedPaths = [project.at('d/secret.txt')];
      const swapping = swapFolder(project.at('d'), project.outside);
      const texts = new Set<string>();
      for (let round = 0; round < 1500; round += 1) {
        const output = await read('d/secret.txt', { decidedPaths }).catch(() => undefined);
        if (output !== undefined) texts.add(textOf(output));
      }
      await swapping.stop();
      expect([...texts].filter((text) => text !== 'harmless')).toEqual([]);
    });
  });
});
