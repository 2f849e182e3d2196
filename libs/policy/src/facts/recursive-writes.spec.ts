import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Facts } from '@wrongstack/contracts';
import { policyContext } from '../../spec/support/synthetic-policies.js';
import { decide } from '../decide/decide.js';
import { recursiveFolder, type RecursiveFolder } from './recursive-folder.spec-support.js';

/** A rule about `secret/**` under YOLO, and calls that change a folder whole. */
describe('changing a folder with all that is below it', () => {
  let folder: RecursiveFolder;
  beforeAll(async () => {
    folder = await recursiveFolder('write');
  });
  afterAll(() => folder.remove());

  const isCaught = (facts: Facts, glob = 'secret/**'): boolean =>
    folder.decided(facts, 'deny', glob).matches.some(({ id }) => id === 'the-rule');

  it.each([
    'rm -r .',
    'rm -rf ./',
    'rm --recurs .',
    'rm $OPTIONS .',
    'sudo rm -r ..',
    'cd src && rm -r ..',
    'trash .',
    'mv . ../elsewhere',
    'mv more/secret .',
    'mv -t . more/secret',
    'cp -r more/secret .',
    'cp -a more/. .',
    'cp -rT more .',
    'cp -r ../outside/secret .',
    'mkdir -p new/secret && cp -r new/. .',
    'ditto more/ .',
    'rsync -a more/ .',
    'rsync -a --delete more/src/ .',
    'rsync -a host:dir/ .',
    'scp -r host:dir .',
    'chmod -R go-w .',
    'chown -R me .',
    'setfacl -R -m u:a:r .',
    'find . -name x -delete',
    'find . -exec chmod go-w {} +',
    'find . -type f | xargs rm',
    'tar xf a.tgz',
    'tar xzf a.tgz -C ..',
    'unzip a.zip',
    '7z x a.7z',
    'gzip -r .',
    'git clean -fd',
    'git checkout -- .',
    'git checkout .',
    'git checkout HEAD .',
    'git restore .',
    'git mv secret other',
    'git rm -r .',
    'git apply x.patch',
    'git apply --index < x.patch',
    'git am x.patch',
    'docker run -v .:/box alpine true',
    'wget -r https://example.com/',
  ])('is caught by a rule about a part of it: %s', async (command) => {
    expect(isCaught(await folder.inShell(command))).toBe(true);
  });

  it.each([
    'rm .',
    'rm -r src',
    'rm -f README.md',
    'mv README.md docs',
    'mv README.md words.md',
    'mv src docs',
    'mv src .',
    'cp -r src .',
    'cp -r src docs',
    'cp more/x .',
    'cp README.md .',
    'rsync -a src docs',
    'chmod -R go-w src',
    'chmod go-w .',
    'find src -delete',
    'find src -exec rm {} +',
    'tar cf x.tar src',
    'tar xf a.tgz -C src',
    'gzip README.md',
    'git checkout main',
    'git checkout -b topic main',
    'git restore src',
    'git rm README.md',
    'git clean -n',
    'git apply --check x.patch',
    'git apply --cached x.patch',
    'git am --abort',
    // These go to another commit: see decisions.md, section 3.3.
    'git switch topic',
    'git merge topic',
    'git stash pop',
    'docker run -v .:/box:ro alpine true',
    'touch .',
    'curl -O https://example.com/x',
    'ls -R .',
  ])('is not caught where nothing below is meant: %s', async (command) => {
    expect(isCaught(await folder.inShell(command))).toBe(false);
  });

  it('looks at what moves: a file has nothing below it', async () => {
    expect(isCaught(await folder.inShell('mv README.md other.md'), '**/*.pem')).toBe(false);
    expect(isCaught(await folder.inShell('mv README.md docs'), '**/*.pem')).toBe(false);
    expect(isCaught(await folder.inShell('mv src other'), '**/*.pem')).toBe(true);
    expect(isCaught(await folder.inShell('cp -r src copy'), 'copy/src/**/*.pem')).toBe(true);
    expect(isCaught(await folder.inShell('cp -r src copy'), 'copy/lib/**')).toBe(false);
    expect(isCaught(await folder.inShell('mkdir new && mv new other'), '**/*.pem')).toBe(true);
  });

  it('is what a tool claims, of a folder alone', async () => {
    expect(isCaught(await folder.byTool('.', true))).toBe(true);
    expect(isCaught(await folder.byTool('.'))).toBe(false);
    expect(isCaught(await folder.byTool('src', true))).toBe(false);
    expect(isCaught(await folder.byTool('README.md', true), '**/*.pem')).toBe(false);
  });

  it('is not allowed by a rule about a part of it', async () => {
    const allows = async (path: string, glob: string) =>
      folder.decided(await folder.byTool(path, true), 'allow', glob).matches.some(({ applied }) => applied);
    await expect(allows('src', 'src/**')).resolves.toBe(true);
    await expect(allows('src', 'src/*.ts')).resolves.toBe(false);
    await expect(allows('.', 'src/**')).resolves.toBe(false);
  });

  it('says which way is open', async () => {
    const { verdict, because } = folder.decided(await folder.inShell('rm -r .'), 'deny', 'secret/**');
    expect(verdict).toBe('deny');
    expect(because).toContain(
      `changes what is below ${folder.project}, where rule the-rule is about secret/**`,
    );
  });

  describe("the agent's own files in it", () => {
    const asksFor = async (command: string): Promise<boolean> =>
      decide(await folder.inShell(command), policyContext(), []).floors.some(
        ({ source }) => source.id === 'protected-write',
      );
    afterEach(() => rm(join(folder.project, '.wrongstack'), { recursive: true, force: true }));

    it('are changed with the folder, which asks', async () => {
      await expect(asksFor('git checkout .')).resolves.toBe(false);
      await mkdir(join(folder.project, '.wrongstack'));
      for (const command of ['mv . ../elsewhere', 'rm -r .', 'chmod -R a+w ..', 'git checkout .'])
        await expect(asksFor(command)).resolves.toBe(true);
      for (const command of ['cp -r src docs', 'cp -r src .', 'rm -r src', 'mv README.md docs'])
        await expect(asksFor(command)).resolves.toBe(false);
    });

    it('are changed with the home folder around them', async () => {
      await expect(asksFor(`chmod -R a+w ${folder.root}/home`)).resolves.toBe(true);
      await expect(asksFor('tar xf a.tgz -C ~')).resolves.toBe(true);
      await expect(asksFor('rm -r ~/other')).resolves.toBe(false);
    });
  });
});
