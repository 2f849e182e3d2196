import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@wrongstack/contracts';
import { findPlugins } from './find-plugins.js';
import { ProjectPluginTrust } from './project-trust.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('what the person said about the plugins of a project', () => {
  let home: string;
  let trust: ProjectPluginTrust;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'plugin-trust-'));
    trust = new ProjectPluginTrust(home, '/work/pay', systemClock);
  });
  afterEach(() => rm(home, { recursive: true }));

  it('is nothing at first, and then what they said last', async () => {
    expect([...(await trust.trusted())]).toEqual([]);
    await trust.trust('lint', DIGEST);
    await trust.decline('lint', DIGEST);
    expect([[...(await trust.trusted()).keys()], [...(await trust.declined()).keys()]]).toEqual([
      [],
      ['lint'],
    ]);
  });

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['a file that leads nowhere', (file) => symlink('nowhere', file)],
    [
      'an answer given twice',
      (file) =>
        writeFile(
          file,
          `{"version":1,"project":"/work/pay","plugins":{"lint":{"digest":"${DIGEST}"}},"declined":{},"plugins":{}}`,
        ),
    ],
  ])('is not guessed at from %s', async (_what, lay) => {
    await mkdir(path.dirname(trust.file), { recursive: true });
    await lay(trust.file);
    await expect(trust.trusted()).rejects.toMatchObject({ code: 'plugin.trust_corrupt' });
    await expect(trust.trust('lint', DIGEST)).rejects.toMatchObject({ code: 'plugin.trust_corrupt' });
  });

  it('is not forgotten behind a folder that leads nowhere', async () => {
    await symlink('nowhere', path.join(home, 'projects'));
    await expect(trust.declined()).rejects.toMatchObject({ code: 'plugin.trust_corrupt' });
  });
});

describe('a folder of plugins', () => {
  it.each<[string, (place: string) => Promise<unknown>]>([
    ['leads nowhere', (place) => symlink('nowhere', place)],
    ['leads to itself', (place) => symlink('plugins', place)],
    ['is a file', (place) => writeFile(place, '')],
  ])('that %s is named: what restricts may have been in it', async (_what, lay) => {
    const home = await mkdtemp(path.join(tmpdir(), 'plugin-folder-'));
    const places = { agentHome: home, home, projectRoot: null, config: { plugins: {} } };
    expect(findPlugins(places)).toEqual({ found: [], faulty: [], disabled: [] });
    await lay(path.join(home, 'plugins'));
    expect(findPlugins(places).faulty).toMatchObject([{ name: 'plugins', root: path.join(home, 'plugins') }]);
    await rm(home, { recursive: true });
  });
});
