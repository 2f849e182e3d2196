import { chmod, lstat, readFile, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { replaceFile } from '../paths/replace-file.js';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { readTool } from './read.tool.js';
import { writeTool } from './write.tool.js';

describe('write', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject({ 'a.txt': 'keep' });
  });
  afterEach(() => project.dispose());

  const write = (path: string, content: string) =>
    writeTool.execute({ path, content }, project.ctx, toolOptions());
  const read = (path: string) => readTool.execute({ path }, project.ctx, toolOptions());
  const content = (path: string) => readFile(project.at(path), 'utf8');

  it('creates a file and its folders', async () => {
    const output = await write('src/new/b.txt', 'one\ntwo\n');
    expect(textOf(output)).toBe('created src/new/b.txt +2 -0');
    expect(output.meta).toEqual({
      files: [{ path: project.at('src/new/b.txt'), added: 2, removed: 0 }],
      diffs: [{ path: 'src/new/b.txt', oldText: null, newText: 'one\ntwo', oldStart: 1, newStart: 1 }],
    });
    expect(await content('src/new/b.txt')).toBe('one\ntwo\n');
  });

  it('refuses to overwrite a file that was never read', async () => {
    expect(await codeOfRejection(write('a.txt', 'x'))).toBe('fs.unread');
    expect(await content('a.txt')).toBe('keep');
  });

  it('refuses a file that changed since, also when its size and its milliseconds are the same', async () => {
    await read('a.txt');
    const { mtimeMs } = await stat(project.at('a.txt'));
    await writeFile(project.at('a.txt'), 'peek');
    await utimes(project.at('a.txt'), mtimeMs / 1000, Math.floor(mtimeMs) / 1000);
    expect(await codeOfRejection(write('a.txt', 'x'))).toBe('fs.stale');
    expect(await content('a.txt')).toBe('peek');
  });

  it('overwrites what was read, and again what it wrote', async () => {
    await read('a.txt');
    expect(textOf(await write('a.txt', 'one'))).toBe('wrote a.txt +1 -1');
    await write('a.txt', 'two');
    expect(await content('a.txt')).toBe('two');
  });

  const MARKED = Buffer.from('\ufeffold\r\n');
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each([
    ['a byte order mark', MARKED, 'new ü…', Buffer.from('\ufeffnew ü…')],
    ['a byte order mark that the content brings too', MARKED, '\ufeffnew', Buffer.from('\ufeffnew')],
    ['UTF-16 LE', utf16('old'), 'new ü…', utf16('new ü…')],
    ['UTF-16 BE', utf16('old').swap16(), 'new', utf16('new').swap16()],
    ['bytes that are no UTF-8', Buffer.from([0x66, 0xfc, 0x72]), 'für', Buffer.from([0x66, 0xfc, 0x72])],
    ['UTF-8 without a mark', Buffer.from('alt'), 'ü', Buffer.from('ü')],
  ])('keeps the encoding: %s', async (_name, before, text, after) => {
    await writeFile(project.at('a.txt'), before);
    await read('a.txt');
    await write('a.txt', text);
    expect(await readFile(project.at('a.txt'))).toEqual(after);
  });

  it('says when the encoding of a file cannot hold the content', async () => {
    await writeFile(project.at('a.txt'), Buffer.from([0x66, 0xfc, 0x72]));
    await read('a.txt');
    expect(textOf(await write('a.txt', 'für …'))).toBe(
      'wrote a.txt +1 -1 (as UTF-8: its encoding cannot hold this content)',
    );
    expect(await content('a.txt')).toBe('für …');
  });

  it('keeps mode bits and links', async () => {
    await chmod(project.at('a.txt'), 0o640);
    await symlink('a.txt', project.at('l.txt'));
    await read('l.txt');
    await write('l.txt', 'new');
    expect((await lstat(project.at('l.txt'))).isSymbolicLink()).toBe(true);
    expect(await content('a.txt')).toBe('new');
    expect((await stat(project.at('a.txt'))).mode & 0o7777).toBe(0o640);
  });

  it('creates the target of a dangling link inside the project', async () => {
    await symlink('later.txt', project.at('l.txt'));
    await write('l.txt', 'x');
    expect(await content('later.txt')).toBe('x');
  });

  it('refuses half of a surrogate pair before it touches anything', async () => {
    await read('a.txt');
    expect(await codeOfRejection(write('a.txt', 'x\udc00'))).toBe('fs.not_encodable');
    expect(await content('a.txt')).toBe('keep');
  });

  it.each([
    ['ENOSPC', /disk is full; the old content is untouched/],
    ['EIO', /EIO/],
  ])('leaves the old file and no temporary one when writing fails: %s', async (code, message) => {
    const real = project.at('a.txt');
    const failing = replaceFile(
      { real, exists: true, display: 'a.txt' },
      {
        bytes: Buffer.from('x'.repeat(64)),
        before: await stat(real, { bigint: true }),
        writeBytes: async (handle) => {
          await handle.write('half');
          throw Object.assign(new Error(code), { code });
        },
      },
    );
    await expect(failing).rejects.toThrow(message);
    expect(await content('a.txt')).toBe('keep');
    expect(await readdir(project.root)).toEqual(['a.txt']);
  });

  it('lets a change that happens during the write win', async () => {
    const real = project.at('a.txt');
    const racing = replaceFile(
      { real, exists: true, display: 'a.txt' },
      {
        bytes: Buffer.from('mine'),
        before: await stat(real, { bigint: true }),
        writeBytes: async (handle, bytes) => {
          await handle.writeFile(bytes);
          await writeFile(real, 'theirs');
        },
      },
    );
    expect(await codeOfRejection(racing)).toBe('fs.stale');
    expect(await content('a.txt')).toBe('theirs');
    expect(await readdir(project.root)).toEqual(['a.txt']);
  });

  it('does not create over a file that appeared meanwhile', async () => {
    const real = project.at('n.txt');
    const racing = replaceFile(
      { real, exists: false, display: 'n.txt' },
      {
        bytes: Buffer.from('mine'),
        before: null,
        writeBytes: async () => {
          await writeFile(real, 'theirs');
        },
      },
    );
    expect(await codeOfRejection(racing)).toBe('fs.stale');
    expect(await content('n.txt')).toBe('theirs');
  });

  it('writes nothing once it was aborted', async () => {
    const aborted = AbortSignal.abort();
    await expect(
      writeTool.execute({ path: 'n.txt', content: 'x' }, project.ctx, { signal: aborted }),
    ).rejects.toThrow();
    expect(await readdir(project.root)).toEqual(['a.txt']);
  });
});
