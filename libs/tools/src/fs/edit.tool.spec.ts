import { chmod, lstat, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { editTool } from './edit.tool.js';
import { EDIT_VECTORS } from './edit.vectors.spec-support.js';
import { readTool } from './read.tool.js';

describe('edit', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject();
  });
  afterEach(() => project.dispose());

  const edit = (old: string, next: string, path = 'a.txt', more: { replace_all?: boolean } = {}) =>
    editTool.execute({ path, old_string: old, new_string: next, ...more }, project.ctx, toolOptions());

  it.each(EDIT_VECTORS.map((vector) => [vector.title, vector] as const))('%s', async (_title, vector) => {
    if (vector.before !== undefined) await project.write('a.txt', vector.before);
    const more = vector.all === undefined ? {} : { replace_all: vector.all };
    const call = edit(vector.old, vector.next, 'a.txt', more);
    if (typeof vector.after === 'string') {
      await call;
      expect(await readFile(project.at('a.txt'), 'utf8')).toBe(vector.after);
    } else {
      expect(await codeOfRejection(call)).toBe(vector.after.refused);
      const now = await readFile(project.at('a.txt'), 'utf8').catch(() => undefined);
      expect(now).toBe(vector.before);
    }
    expect((await readdir(project.root)).filter((name) => name !== 'a.txt')).toEqual([]);
  });

  it('names the lines of every candidate', async () => {
    await project.write('a.txt', 'x\r\nhit\r\ny\r\nhit\r\n');
    await expect(edit('hit', 'z')).rejects.toThrow(
      '2 times in a.txt, at lines 2, 4: add lines around it, or set replace_all',
    );
  });

  it('says under which leniency it matched', async () => {
    await project.write('a.txt', '    return one;\n');
    expect(textOf(await edit('return  one;', 'return two;'))).toBe(
      'edited a.txt +1 -1 (matched ignoring spaces)',
    );
    expect(await readFile(project.at('a.txt'), 'utf8')).toBe('    return two;\n');
  });

  it('refuses a file that changed since it was read, and takes it after it was read again', async () => {
    const path = await project.write('a.txt', 'one\n');
    await readTool.execute({ path: 'a.txt' }, project.ctx, toolOptions());
    await writeFile(path, 'one, changed by somebody\n');
    expect(await codeOfRejection(edit('one', 'two'))).toBe('fs.stale');
    await readTool.execute({ path: 'a.txt' }, project.ctx, toolOptions());
    await edit('one', 'two');
    // Its own write is no change by somebody else.
    await edit('two', 'three');
    expect(await readFile(path, 'utf8')).toBe('three, changed by somebody\n');
  });

  it('keeps the mode bits', async () => {
    const path = await project.write('a.txt', '#!/bin/sh\n');
    await chmod(path, 0o750);
    await edit('sh', 'bash');
    expect((await stat(path)).mode & 0o7777).toBe(0o750);
  });

  it('changes the target of a link and keeps the link', async () => {
    await project.write('real.txt', 'a');
    await symlink('real.txt', project.at('l.txt'));
    await edit('a', 'b', 'l.txt');
    expect((await lstat(project.at('l.txt'))).isSymbolicLink()).toBe(true);
    expect(await readFile(project.at('real.txt'), 'utf8')).toBe('b');
  });

  it.each([
    ['UTF-16 LE', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('héllo\r\nworld', 'utf16le')])],
    [
      'UTF-16 BE',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('héllo\r\nworld', 'utf16le').swap16()]),
    ],
    ['UTF-16 LE without mark', Buffer.from('hello\r\nworld', 'utf16le')],
  ])('keeps the encoding: %s', async (_name, bytes) => {
    const path = await project.write('a.txt', bytes);
    await edit('world', 'there\nyou');
    const tail = (await readFile(path)).subarray(bytes.length - 'world'.length * 2);
    const text =
      bytes[0] === 0xfe ? Buffer.from(tail).swap16().toString('utf16le') : tail.toString('utf16le');
    expect(text).toBe('there\r\nyou');
  });

  it('keeps bytes that are no UTF-8, and refuses characters that the file cannot hold', async () => {
    const path = await project.write('a.txt', Buffer.from([0x66, 0xfc, 0x72, 0x20, 0x31, 0x0a]));
    await edit('1', 'é');
    expect([...(await readFile(path))]).toEqual([0x66, 0xfc, 0x72, 0x20, 0xe9, 0x0a]);
    expect(await codeOfRejection(edit('é', '…'))).toBe('fs.not_encodable');
  });

  it('refuses a binary file', async () => {
    await project.write('a.txt', Buffer.from([1, 0, 0, 0, 2, 3, 0, 0]));
    expect(await codeOfRejection(edit('x', 'y'))).toBe('fs.binary');
  });

  it('runs edits of one file one after the other', async () => {
    const path = await project.write('a.txt', 'a b c\n');
    await Promise.all([edit('a', 'A'), edit('b', 'B'), edit('c', 'C')]);
    expect(await readFile(path, 'utf8')).toBe('A B C\n');
  });

  it('keeps the hunks and the counts beside the result', async () => {
    await project.write('a.txt', '1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    const { meta } = await edit('8', 'eight\nmore');
    expect(meta).toEqual({
      files: [{ path: project.at('a.txt'), added: 2, removed: 1 }],
      diffs: [
        {
          path: 'a.txt',
          oldText: '5\n6\n7\n8\n9',
          newText: '5\n6\n7\neight\nmore\n9',
          oldStart: 5,
          newStart: 5,
        },
      ],
    });
    expect(
      editTool.presentResult?.(
        { path: 'a.txt', old_string: '8', new_string: 'x' },
        { content: [], isError: false, meta },
      ),
    ).toMatchObject({
      card: 'diff',
      title: 'a.txt',
    });
  });
});
