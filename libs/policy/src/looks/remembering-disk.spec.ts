import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeFactFileSystem } from '../facts/fact-file-system.js';
import { resolvePath } from '../facts/resolve-path.js';
import { rememberingDisk } from './remembering-disk.js';

describe('a disk that is remembered', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'remembering-disk-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('looks at a folder once, however many paths lead through it', async () => {
    const looked: string[] = [];
    const disk = rememberingDisk({
      ...nodeFactFileSystem,
      lstat: (file) => {
        looked.push(file);
        return nodeFactFileSystem.lstat(file);
      },
    });
    for (const name of ['a', 'b']) writeFileSync(path.join(folder, name), name);
    await Promise.all(['a', 'b', './a'].map((name) => resolvePath(disk, name, folder)));
    expect(looked.filter((file) => file === folder)).toEqual([folder]);
    expect(new Set(looked).size).toBe(looked.length);
  });

  it('is of one moment; the next one sees what was changed', async () => {
    const link = path.join(folder, 'link');
    symlinkSync('/etc', link);
    const before = rememberingDisk(nodeFactFileSystem);
    expect(await resolvePath(before, link, folder)).toMatchObject({ status: 'found', real: '/etc' });
    unlinkSync(link);
    writeFileSync(link, '');
    expect(await resolvePath(before, link, folder)).toMatchObject({ real: '/etc' });
    expect(await resolvePath(rememberingDisk(nodeFactFileSystem), link, folder)).toMatchObject({
      status: 'found',
      real: link,
    });
  });

  it('never remembers what a file holds', async () => {
    const disk = rememberingDisk(nodeFactFileSystem);
    const file = path.join(folder, 'file');
    writeFileSync(file, 'one');
    const one = await disk.hash(file);
    writeFileSync(file, 'two');
    expect(await disk.hash(file)).not.toBe(one);
  });
});
