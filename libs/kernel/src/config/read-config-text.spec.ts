import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONFIG } from './defaults.js';
import { loadConfig } from './load-config.js';

describe('the configuration file of a repository', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-text-'));
    file = join(folder, 'config.json');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const load = () => loadConfig({ userFile: join(folder, 'none.json'), projectFile: file });

  it.each<[string, () => unknown, RegExp]>([
    ['a pipe', () => execFileSync('mkfifo', [file]), /config\.json: is no regular file/],
    ['an endless device', () => symlink('/dev/zero', file), /config\.json: is no regular file/],
    ['a folder', () => mkdir(file), /config\.json: is no regular file/],
    ['huge', () => writeFile(file, ' '.repeat(2_000_000)), /config\.json: is larger than 1 MiB/],
    ['nested without end', () => writeFile(file, '['.repeat(200_000)), /config\.json:1:\d+: not valid JSON/],
  ])('may be %s: that is named at once', async (_what, lay, message) => {
    await lay();
    await expect(load()).rejects.toThrow(message);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['a link that leads nowhere', () => symlink('nowhere', file), /config\.json: cannot be read \(ENOENT\)/],
    ['a link to itself', () => symlink('config.json', file), /config\.json: cannot be read \(ELOOP\)/],
    ['no text', () => writeFile(file, Buffer.from([0xff, 0xfe, 0x7b])), /config\.json: is no UTF-8 text/],
  ])('is never taken for absent when it is %s', async (_what, lay, message) => {
    await lay();
    const files = { userFile: join(folder, 'none.json'), projectFile: join(folder, 'none.json') };
    for (const one of ['userFile', 'projectFile'] as const) {
      const loading = loadConfig({ ...files, [one]: file });
      await expect(loading).rejects.toMatchObject({
        code: 'config.unreadable',
        message: expect.stringMatching(message),
      });
    }
  });

  it.each<[string, () => unknown]>([
    ['a link that leads nowhere', () => symlink('nowhere', join(folder, '.wrongstack'))],
    ['a file', () => writeFile(join(folder, '.wrongstack'), '')],
  ])('nor when its folder is %s', async (_what, lay) => {
    await lay();
    file = join(folder, '.wrongstack', 'config.json');
    await expect(load()).rejects.toMatchObject({ code: 'config.unreadable' });
  });

  it('may be absent', async () => {
    expect((await load()).config).toEqual(DEFAULT_CONFIG);
    file = join(folder, '.wrongstack', 'config.json');
    expect((await load()).config).toEqual(DEFAULT_CONFIG);
  });

  it('is the person’s own where the project is the home folder: nothing in it is ignored', async () => {
    await writeFile(file, '{"log":{"level":"debug"}}');
    await symlink('config.json', join(folder, 'same.json'));
    for (const userFile of [file, join(folder, 'same.json')]) {
      expect(await loadConfig({ userFile, projectFile: file })).toMatchObject({
        config: { log: { level: 'debug' } },
        ignored: [],
      });
    }
  });
});
