import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nothingAt, readIfThere, readTextFile, readTextIfThere } from './read-text-file.js';

const MOST = { mostBytes: 1024 };

describe('a text that may be there', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'text-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);

  it('is read, through links too, without a byte order mark', async () => {
    writeFileSync(at('file'), '\ufeffsays this\r\n');
    symlinkSync('file', at('link'));
    expect(await readTextIfThere(at('file'), MOST)).toBe('says this\r\n');
    expect(await readTextIfThere(at('link'), MOST)).toBe('says this\r\n');
    await expect(readTextIfThere(at('link'), { ...MOST, refuseLinks: true })).rejects.toMatchObject({
      code: 'file.unreadable',
      why: 'cannot be read (ELOOP)',
    });
  });

  it.each(['file', 'folder/file', 'folder/deeper/file', 'linked/file'])(
    'is absent where nothing of that name is: %s',
    async (name) => {
      mkdirSync(at('real'));
      symlinkSync('real', at('linked'));
      expect(await readTextIfThere(at(name), MOST)).toBeNull();
      expect(nothingAt(at(name))).toBe(true);
    },
  );

  it.each<[string, string, (place: string) => void]>([
    ['a link that leads nowhere', 'cannot be read (ENOENT)', (place) => symlinkSync('nowhere', place)],
    ['a link to itself', 'cannot be read (ELOOP)', (place) => symlinkSync('file', place)],
    ['a folder', 'is no regular file', (place) => mkdirSync(place)],
    ['a pipe', 'is no regular file', (place) => execFileSync('mkfifo', [place])],
    ['a device without end', 'is no regular file', (place) => symlinkSync('/dev/zero', place)],
    [
      'more than anybody wrote',
      'is larger than 1024 bytes',
      (place) => {
        writeFileSync(place, '');
        truncateSync(place, 1025);
      },
    ],
    [
      'bytes that are no text',
      'is no UTF-8 text',
      (place) => writeFileSync(place, Buffer.from([0xff, 0xfe])),
    ],
  ])('is never taken for absent: %s', async (_what, why, lay) => {
    const file = at('file');
    lay(file);
    const refusal = { code: 'file.unreadable', message: `${file}: ${why}`, why };
    await expect(readTextIfThere(file, MOST)).rejects.toMatchObject(refusal);
    await expect(readTextFile(file, MOST)).rejects.toMatchObject(refusal);
    expect(nothingAt(file)).toBe(false);
  });

  it.each<[string, string, (folder: string) => void]>([
    ['a link that leads nowhere', 'ENOENT', (place) => symlinkSync('nowhere', place)],
    ['a link to itself', 'ELOOP', (place) => symlinkSync('above', place)],
    ['a file', 'ENOTDIR', (place) => writeFileSync(place, '')],
  ])('nor below %s, however far', async (_what, code, lay) => {
    lay(at('above'));
    for (const file of [at('above/file'), at('above/deeper/file')]) {
      await expect(readTextIfThere(file, MOST)).rejects.toMatchObject({ why: `cannot be read (${code})` });
      expect(nothingAt(file)).toBe(false);
    }
  });

  it('is no text of ours where others can write it, if that matters', async () => {
    writeFileSync(at('file'), 'a');
    chmodSync(at('file'), 0o620);
    expect(await readTextIfThere(at('file'), MOST)).toBe('a');
    await expect(readTextIfThere(at('file'), { ...MOST, ownersAlone: true })).rejects.toMatchObject({
      why: expect.stringContaining('can be written by others'),
    });
  });

  it('is read when it appears between the two looks', async () => {
    let looks = 0;
    const read = async () => {
      looks += 1;
      if (looks > 1) return 'there';
      writeFileSync(at('file'), '');
      throw Object.assign(new Error('not yet'), { code: 'ENOENT' });
    };
    expect(await readIfThere(at('file'), read)).toBe('there');
  });

  it('has to be there where it was named', async () => {
    await expect(readTextFile(at('file'), MOST)).rejects.toMatchObject({ why: 'cannot be read (ENOENT)' });
  });
});
