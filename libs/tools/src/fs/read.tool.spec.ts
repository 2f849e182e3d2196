import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, stat, symlink } from 'node:fs/promises';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from '../test-context.spec-support.js';
import { readLines } from './read-lines.js';
import { readTool, type ReadInput } from './read.tool.js';

describe('read', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await createTestProject();
  });
  afterEach(() => project.dispose());

  const read = (path: string, more: Partial<ReadInput> = {}) =>
    readTool.execute({ path, ...more }, project.ctx, toolOptions());
  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

  it('returns a small file as it is, without line numbers', async () => {
    await project.write('a.ts', 'const a = 1;\n\nexport { a };\n');
    const output = await read('a.ts');
    expect(output).toEqual({
      content: [{ type: 'text', text: 'const a = 1;\n\nexport { a };' }],
      meta: { lines: 3, offset: 1 },
    });
  });

  it('stops after 2000 lines and says how to go on', async () => {
    await project.write('a.txt', numbered(2001));
    const text = textOf(await read('a.txt'));
    expect(text).toContain('line 2000\n[lines 1-2000; more follow (');
    expect(text).toContain('go on with offset 2001]');
    expect(textOf(await read('a.txt', { offset: 2001 }))).toBe(
      'line 2001\n[lines 2001-2001, the end of the file]',
    );
  });

  it('does not promise more where the file ends at the limit', async () => {
    await project.write('a.txt', numbered(2000));
    expect(textOf(await read('a.txt'))).not.toContain('[');
    await project.write('b.txt', numbered(2000).trimEnd());
    expect(textOf(await read('b.txt'))).not.toContain('[');
  });

  it('takes a window', async () => {
    await project.write('a.txt', numbered(10));
    expect(textOf(await read('a.txt', { offset: 4, limit: 2 }))).toMatch(
      /^line 4\nline 5\n\[lines 4-5; more follow/,
    );
  });

  it('says that a file is empty, and how long it is when the offset is past its end', async () => {
    await project.write('e.txt', '');
    await project.write('a.txt', 'one\ntwo');
    expect(textOf(await read('e.txt'))).toBe('[the file is empty]');
    expect(textOf(await read('a.txt', { offset: 3 }))).toBe('[nothing at line 3: the file has 2 lines]');
  });

  it('cuts long lines and says so', async () => {
    await project.write('a.txt', `short\n${'x'.repeat(5000)}\nend\n`);
    const text = textOf(await read('a.txt'));
    expect(text).toContain(`\n${'x'.repeat(2000)}… [line cut: 5000 characters]\nend\n[1 long lines cut]`);
  });

  it('reads no further into a huge file than its lines reach', async () => {
    await project.write('big.log', numbered(400_000));
    const descriptor = openSync(project.at('big.log'), 'r');
    let bytes = 0;
    const counting = (buffer: Buffer, position: number): number => {
      const count = readSync(descriptor, buffer, 0, buffer.length, position);
      bytes += count;
      return count;
    };
    const format = { encoding: 'utf8', bom: new Uint8Array(0) } as const;
    const buffer = Buffer.alloc(64 * 1024);
    const start = { buffer, length: counting(buffer, 0), format };
    const window = { offset: 1, limit: 2000, mostLineCharacters: 2000, mostCharacters: 1e6 };
    const { text, count } = await readLines(start, counting, window, new AbortController().signal);
    closeSync(descriptor);
    expect(count).toBe(2000);
    expect(text.endsWith('\nline 2000')).toBe(true);
    expect(bytes).toBeLessThan(128 * 1024);
  });

  it('can be aborted on the way to a line far behind', async () => {
    await project.write('big.log', 'x\n'.repeat(8_000_000));
    const abort = new AbortController();
    const call = readTool.execute({ path: 'big.log', offset: 7_999_999 }, project.ctx, {
      signal: abort.signal,
    });
    setImmediate(() => abort.abort());
    await expect(call).rejects.toThrow();
  });

  it('does not read the rest of an endless line behind the window', async () => {
    await project.write('a.txt', `first\n${'x'.repeat(3_000_000)}`);
    expect(textOf(await read('a.txt', { limit: 1 }))).toMatch(/^first\n\[lines 1-1; more follow/);
  });

  it('keeps characters whole across the borders of its chunks', async () => {
    const line = '日本語🙂'.repeat(300);
    await project.write('a.txt', `${`${line}\n`.repeat(40)}end`);
    const lines = textOf(await read('a.txt')).split('\n');
    expect(new Set(lines.slice(0, 40))).toEqual(new Set([line]));
  });

  it('gives lines as they are wherever they fall into its chunks', async () => {
    const pieces = [
      'plain',
      '',
      'carriage\r',
      'x'.repeat(1999),
      'y'.repeat(2000),
      '\uFEFFmark',
      'zwölf',
      '日本',
    ];
    const lines = Array.from({ length: 400 }, (_, index) => pieces[(index * 7) % pieces.length] ?? '');
    await project.write('a.txt', `${'-'.repeat(2_000)}\n${lines.join('\n')}\nend\n`);
    const expected = lines.map((line) => line.replace(/\r$/, ''));
    for (let offset = 1; offset <= 350; offset += 57) {
      const limit = 30;
      const read = textOf(
        await readTool.execute({ path: 'a.txt', offset: offset + 1, limit }, project.ctx, toolOptions()),
      );
      expect(read.split('\n').slice(0, -1)).toEqual(expected.slice(offset - 1, offset - 1 + limit));
    }
  });

  it('keeps a mark that is no byte order mark, also where a chunk begins', async () => {
    const bytes = `${'a'.repeat(1023)}\n`.repeat(64);
    await project.write('a.txt', `${bytes}\uFEFFb\nc`);
    expect(textOf(await read('a.txt', { offset: 65 }))).toMatch(/^\uFEFFb\nc\n/);
  });

  it('tells a text that its sample cuts within a character from one that is no UTF-8', async () => {
    const start = `${'a'.repeat(127)}\n`.repeat(512).slice(0, -2);
    await project.write('a.txt', `${start}\u{1F642}\nend`);
    expect(textOf(await read('a.txt', { offset: 512 }))).toMatch(/\u{1F642}\nend\n\[lines 512-513/u);
    await project.write('b.txt', Buffer.concat([Buffer.from(start), Buffer.from([0xe0, 0x80, 0x0a])]));
    expect(textOf(await read('b.txt', { offset: 512 }))).toContain('encoding latin1');
  });

  it('says what a binary file is', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 1, 2, 3, 0, 0xff, 0xfe, 7]);
    await project.write('b.bin', bytes);
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(textOf(await read('b.bin'))).toBe(`[binary file, 10 bytes, sha256 ${hash}]`);
  });

  it.each([
    ['utf16le', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('zwölf\nend\n', 'utf16le')])],
    ['utf16be', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('zwölf\nend\n', 'utf16le').swap16()])],
    ['latin1', Buffer.from('zwölf\nend\n', 'latin1')],
  ])('recognises %s', async (name, bytes) => {
    await project.write('a.txt', bytes);
    expect(textOf(await read('a.txt'))).toBe(`zwölf\nend\n[encoding ${name}]`);
  });

  it('hides a byte order mark and carriage returns, and says that lines end with CRLF', async () => {
    await project.write('a.txt', '\uFEFFone\r\ntwo\r\n');
    expect(textOf(await read('a.txt'))).toBe('one\ntwo\n[CRLF line endings]');
  });

  it('records the read under the real path', async () => {
    const path = await project.write('a.txt', 'x');
    await symlink('a.txt', project.at('l.txt'));
    await read('l.txt');
    expect(project.ctx.hasRead(path)).toBe(true);
    expect(project.ctx.lastReadMtime(path)).toBe((await stat(path)).mtimeMs);
  });

  it('refuses what the schema would have refused', async () => {
    for (const input of [
      {},
      { path: '' },
      { path: 3 },
      { path: 'a', offset: 0 },
      { path: 'a', limit: 1.5 },
      null,
    ]) {
      const code = await codeOfRejection(
        readTool.execute(input as unknown as ReadInput, project.ctx, toolOptions()),
      );
      expect(code).toBe('tool.bad_input');
    }
    expect(await codeOfRejection(read('a\0b'))).toBe('path.invalid');
    expect(await codeOfRejection(read('missing.txt'))).toBe('fs.not_found');
  });

  it('reads a file of this repository to the letter', async () => {
    const source = await readFile(__filename, 'utf8');
    await project.write('copy.ts', source);
    expect(`${textOf(await read('copy.ts'))}\n`).toBe(source);
  });
});
