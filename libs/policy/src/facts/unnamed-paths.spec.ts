import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PathFact } from '@wrongstack/contracts';
import { computeFacts } from './compute-facts.js';
import { sampleCall } from './sample-call.spec-support.js';

describe('files that a command touches without naming them', () => {
  let root: string;
  let project: string;
  let home: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'unnamed-')));
    [project, home] = [join(root, 'pay'), join(root, 'home')];
    for (const folder of ['src', 'infra', '.git', '.wrongstack', 'skeleton/infra', 'skeleton/.husky', '[id]'])
      await mkdir(join(project, folder), { recursive: true });
    await mkdir(join(root, 'outside'));
    await mkdir(home);
    for (const file of ['README.md', 'infra/a.tf', '.git/config', 'skeleton/.envrc', '[id]/page.tsx'])
      await writeFile(join(project, file), '');
    await symlink(join(root, 'outside'), join(project, 'link'));
    await symlink('/etc/hostname', join(project, 'src/host.txt'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const touched = async (command: string): Promise<readonly PathFact[]> => {
    const call = sampleCall(project, { command, paths: [], urls: [] });
    const clock = { now: () => 0 };
    const facts = await computeFacts(call, {
      home,
      agentHome: join(home, '.wrongstack'),
      clock,
      toolchainScratch: [],
    });
    return facts.paths === 'unknown' ? [] : facts.paths;
  };
  const written = async (command: string) =>
    (await touched(command)).filter(({ access }) => access === 'write').map(({ relative }) => relative);

  it.each([
    ['echo x > inf*/a.tf', 'infra/a.tf'],
    ['tee in?ra/*.tf', 'infra/a.tf'],
    ['cp README.md inf*/', 'infra/README.md'],
    ['rm i[n]fra/a.tf', 'infra/a.tf'],
    ['echo x > .gi?/config', '.git/config'],
    ['cp README.md .wrong*/config.json', '.wrongstack/config.json'],
    ['touch "[id]"/*.tsx', '[id]/page.tsx'],
  ])('are what its globs match: %s', async (command, expected) => {
    expect(await written(command)).toContain(expected);
  });

  it.each([
    ['cp skeleton/.envrc .', '.envrc'],
    ['cp skeleton/.envrc infra', 'infra/.envrc'],
    ['cp -r skeleton/infra skeleton/.husky .', '.husky'],
    ['cp -r skeleton/. .', '.husky'],
    ['cp -r skeleton/.h* .', '.husky'],
    ['rsync -a skeleton/ .', '.envrc'],
    ['install -t src skeleton/.envrc', 'src/.envrc'],
    ['cd skeleton && mv .envrc ..', '.envrc'],
    ['ln skeleton/.envrc .', '.envrc'],
  ])('are what lands in a folder: %s', async (command, expected) => {
    expect(await written(command)).toContain(expected);
  });

  it('are not what only a folder could hold', async () => {
    expect(await written('cp skeleton/.envrc README.md')).toEqual(['README.md']);
    expect(await written('cp skeleton/.envrc copy')).toEqual(['copy']);
    expect((await touched('cat */page.tsx')).every(({ real }) => real !== null)).toBe(true);
  });

  it('leave the project where a link matches', async () => {
    for (const command of ['cat li*/secret', 'head -n1 src/*.txt', 'cat *', 'grep -r x l?nk'])
      expect((await touched(command)).some(({ inside }) => !inside)).toBe(true);
    expect((await touched('cat README* infra/*')).every(({ inside }) => inside)).toBe(true);
  });

  it.each([
    'grep -R x .',
    'rg -L x',
    'rg --follow x src',
    'diff -r src infra',
    'cp -rL src infra',
    'zip -r a.zip src',
    'tar -chf a.tar src',
  ])('leave the project by the links that a program follows: %s', async (command) => {
    expect((await touched(command)).some(({ inside, access }) => !inside && access === 'read')).toBe(true);
  });

  it.each([
    'grep -r x .',
    'rg x',
    'cp -r src infra',
    'tar -cf a.tar src',
    'zip -ry a.zip src',
    'grep -R x infra',
  ])('stay where no link is followed: %s', async (command) => {
    expect((await touched(command)).every(({ inside }) => inside)).toBe(true);
  });

  it('are unknown where they are too many to look at', async () => {
    await mkdir(join(project, 'many'));
    for (let index = 0; index < 300; index++) await writeFile(join(project, `many/${index}`), '');
    expect((await touched('rm many/*')).at(-1)).toMatchObject({ access: 'write', claimed: null, real: null });
    expect((await touched('rm many/12*')).map(({ real }) => real)).not.toContain(null);
  });

  it('are unknown behind a link that the same command makes', async () => {
    for (const command of [
      'ln -s .git zz && echo x > zz/config',
      'ln -s ../.git src; echo x > src/.git/config',
      'ln -sT infra k; cd k && echo x > a.tf',
      'ln -s .git a; ln -s a b; cp README.md b/config',
    ])
      expect(await written(command)).toContain(null);
    expect(await written('ln -s infra zz; echo x > src/a')).not.toContain(null);
  });
});
