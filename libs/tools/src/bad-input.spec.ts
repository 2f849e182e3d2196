import { execFileSync } from 'node:child_process';
import { chmod, readFile, readdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RichToolOutput, Tool } from '@wrongstack/contracts';
import { builtInTools } from './built-in-tools.js';
import {
  codeOfRejection,
  createTestProject,
  textOf,
  toolOptions,
  type TestProject,
} from './test-context.spec-support.js';

// Real processes on a machine that may be busy.
jest.setTimeout(60_000);

const tools = builtInTools({ environment: { PATH: process.env['PATH'], HOME: '/nonexistent' } });

/** What files hold, whatever it is, and what the file tools make of it. */
describe('bad input of the file tools', () => {
  let project: TestProject;
  afterEach(() => project.dispose());

  // Every built-in tool answers with this shape; the catalogue's own type leaves it open.
  const run = (name: string, input: object): Promise<RichToolOutput> =>
    (tools.find((tool) => tool.name === name) as Tool<object, RichToolOutput>).execute(
      input,
      project.ctx,
      toolOptions({ signal: AbortSignal.timeout(20_000) }),
    );
  const outcome = (name: string, input: object): Promise<string> =>
    run(name, input).then(
      (output) => textOf(output),
      (error: unknown) => codeOfRejection(Promise.reject(error as Error)),
    );
  const changed = (path: string): Readonly<Record<string, object>> => ({
    edit: { path, old_string: 'needle', new_string: 'pin' },
    replace: { path, search: 'needle', replacement: 'pin' },
    patch: { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-needle\n+pin\n*** End Patch` },
  });

  describe('bytes that are no text of the encoding they claim', () => {
    const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
    const behind = (...parts: readonly (Buffer | readonly number[])[]): Buffer =>
      Buffer.concat(parts.map((part) => Buffer.from(part)));
    const UTF8_MARK = [0xef, 0xbb, 0xbf];
    const UTF16_MARK = [0xff, 0xfe];

    it.each<[string, Buffer, Buffer]>([
      [
        'invalid UTF-8 behind a mark of UTF-8',
        behind(UTF8_MARK, Buffer.from('needle\n'), [0xff, 0x80, 0x0a]),
        behind(UTF8_MARK, Buffer.from('pin\n'), [0xff, 0x80, 0x0a]),
      ],
      [
        'half of a surrogate pair as UTF-8',
        behind(Buffer.from('needle\n'), [0xed, 0xa0, 0x80, 0x0a]),
        behind(Buffer.from('pin\n'), [0xed, 0xa0, 0x80, 0x0a]),
      ],
      [
        'half of a surrogate pair in UTF-16',
        behind(UTF16_MARK, utf16('needle\n\ud800 x\n')),
        behind(UTF16_MARK, utf16('pin\n\ud800 x\n')),
      ],
    ])('%s come back byte for byte', async (_what, before, after) => {
      for (const name of ['edit', 'replace', 'patch']) {
        project = await createTestProject();
        await project.write('f.txt', before);
        await run(name, changed('f.txt')[name] ?? {});
        expect((await readFile(project.at('f.txt'))).equals(after)).toBe(true);
        if (name !== 'patch') await project.dispose();
      }
    });

    it.each<[string, Buffer]>([
      ['half a unit at the end of UTF-16', behind(UTF16_MARK, utf16('needle\n'), [0x41])],
      ['half a unit at the end of UTF-16 without a mark', behind(utf16('needle and thread\n'), [0x41])],
      ['UTF-32', behind([0xff, 0xfe, 0, 0], [0x61, 0, 0, 0])],
      ['zero bytes', behind(Buffer.from('needle\n'), [0, 1, 2, 0xff])],
    ])('%s is binary: nothing changes it as text', async (_what, before) => {
      project = await createTestProject();
      await project.write('f.bin', before);
      for (const [name, input] of Object.entries(changed('f.bin')))
        expect([name, await outcome(name, input)]).toEqual([name, 'fs.binary']);
      expect((await readFile(project.at('f.bin'))).equals(before)).toBe(true);
    });
  });

  it('two lines of a million characters are read in part, found, and changed', async () => {
    const long = `${'x'.repeat(1_000_000)}needle${'y'.repeat(1_000_000)}\n`;
    for (const name of ['edit', 'replace']) {
      project = await createTestProject({ 'f.txt': long + long.replace('needle', 'other') });
      expect((await outcome('read', { path: 'f.txt' })).length).toBeLessThan(10_000);
      expect((await outcome('grep', { path: 'f.txt', pattern: 'needle' })).length).toBeLessThan(2_000);
      await run(name, changed('f.txt')[name] ?? {});
      expect((await readFile(project.at('f.txt'), 'utf8')).length).toBe(2 * long.length - 4);
      if (name === 'edit') await project.dispose();
    }
  });

  it('half of a surrogate pair in a name is refused: the file system would be given another name', async () => {
    project = await createTestProject({ 'a\ufffdb': 'needle\n' });
    const path = 'a\ud800b';
    for (const name of ['read', 'tree', 'glob', 'grep', 'diff'])
      expect([name, await outcome(name, { path, pattern: 'x' })]).toEqual([name, 'path.invalid']);
    expect(await outcome('write', { path, content: '' })).toBe('path.invalid');
    expect(await outcome('edit', changed(path)['edit'] ?? {})).toBe('path.invalid');
    expect(await outcome('patch', changed(path)['patch'] ?? {})).toBe('patch.malformed');
    expect(await outcome('bash', { command: `rm ${path}` })).toBe('tool.bad_input');
    expect(await outcome('exec', { argv: ['wc', path] })).toBe('tool.bad_input');
    expect(await outcome('git', { args: ['status'], paths: [path] })).toBe('tool.bad_input');
    expect(await readdir(project.root)).toEqual(['a\ufffdb']);
  });

  it('a project folder that was deleted is named, whichever tool comes to it', async () => {
    project = await createTestProject({ 'f.txt': 'needle\n' });
    await rm(project.root, { recursive: true });
    for (const [name, input] of Object.entries(changed('f.txt')))
      expect([name, await outcome(name, input)]).toEqual([name, 'path.no_project']);
    expect(await outcome('write', { path: 'n.txt', content: '' })).toBe('path.no_project');
    expect(await outcome('codebase-index', { query: 'x' })).toBe('path.no_project');
    expect(await outcome('lint', {})).toBe('path.no_project');
    expect(await outcome('read', { path: 'f.txt' })).toBe('fs.not_found');
    for (const [name, input] of [
      ['bash', { command: 'true' }],
      ['exec', { argv: ['ls'] }],
      ['git', { args: ['status'] }],
    ] as const)
      expect([name, await outcome(name, input)]).toEqual([name, 'spawn.no_cwd']);
  });

  describe('without permission', () => {
    const isRoot = process.geteuid?.() === 0;
    const NOBODY = 65_534;
    /** Whoever may read everything is somebody else for the time of the work. */
    async function asNobody<T>(work: () => Promise<T>): Promise<T> {
      if (!isRoot) return work();
      execFileSync('chown', ['-R', String(NOBODY), dirname(project.root)]);
      process.seteuid?.(NOBODY);
      try {
        return await work();
      } finally {
        process.seteuid?.(0);
      }
    }

    it('an unreadable file that was named is an error; below a folder it is passed by and counted', async () => {
      project = await createTestProject({ 'f.txt': 'needle\n', 'g.txt': 'needle\n' });
      await chmod(project.at('f.txt'), 0);
      await asNobody(async () => {
        for (const name of ['edit', 'replace', 'patch'])
          expect([name, await outcome(name, changed('f.txt')[name] ?? {})]).toEqual([name, 'fs.denied']);
        expect(await outcome('read', { path: 'f.txt' })).toBe('fs.denied');
        const replaced = await outcome('replace', changed('.')['replace'] ?? {});
        expect(replaced).toContain('M g.txt');
        expect(replaced).toContain('; 1 file could not be read and may hold it too');
      });
    });

    it('the index counts what it could not read, and reads it when it may', async () => {
      project = await createTestProject({ 'f.ts': 'class Hidden {}\n', 'g.ts': 'class Shown {}\n' });
      await chmod(project.at('f.ts'), 0);
      await asNobody(async () => {
        const first = await outcome('codebase-index', { symbol: 'Hidden' });
        expect(first).toContain('[2 files indexed, 2 read anew, 1 could not be read]');
        expect(await outcome('codebase-index', { symbol: 'Hidden' })).toContain(
          '[2 files indexed, 1 could not be read]',
        );
        await chmod(project.at('f.ts'), 0o644);
        const last = await outcome('codebase-index', { symbol: 'Hidden' });
        expect(last).toContain('f.ts:1 class Hidden');
        expect(last).toContain('[2 files indexed, 1 read anew]');
      });
    });

    it('nothing is written into a folder that takes no files', async () => {
      project = await createTestProject({ 'd/f.txt': 'needle\n' });
      await chmod(project.at('d'), 0o555);
      await asNobody(async () => {
        for (const [name, input] of Object.entries(changed('d/f.txt')))
          expect([name, await outcome(name, input)]).toEqual([name, 'fs.failed']);
        expect(await outcome('write', { path: 'd/n.txt', content: '' })).toBe('fs.failed');
      });
      await chmod(project.at('d'), 0o755);
      expect(await readdir(project.at('d'))).toEqual(['f.txt']);
      expect(await readFile(project.at('d/f.txt'), 'utf8')).toBe('needle\n');
    });
  });
});
