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

  it('may be absent, or a link to nothing', async () => {
    expect((await load()).config).toEqual(DEFAULT_CONFIG);
    await symlink(join(folder, 'nothing'), file);
    expect((await load()).config).toEqual(DEFAULT_CONFIG);
  });
});
