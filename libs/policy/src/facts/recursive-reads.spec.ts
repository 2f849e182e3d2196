import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Facts } from '@wrongstack/contracts';
import { recursiveFolder, type RecursiveFolder } from './recursive-folder.spec-support.js';

/** A rule about `secret/**` under YOLO, and calls that read a folder whole. */
describe('reading a folder with all that is below it', () => {
  let folder: RecursiveFolder;
  beforeAll(async () => {
    folder = await recursiveFolder('read');
    await symlink('../secret', join(folder.project, 'docs/more'));
  });
  afterAll(() => folder.remove());

  const isCaught = (facts: Facts, glob = 'secret/**'): boolean =>
    folder.decided(facts, 'deny', glob).by.id === 'the-rule';

  it.each([
    'grep -r INNER .',
    'grep -r INNER',
    'grep -d recurse INNER',
    'grep --recurs INNER .',
    'grep $OPTIONS INNER .',
    'rgrep INNER',
    'rg INNER',
    'rg INNER .',
    'ag INNER',
    'tar cf - .',
    'tar -C .. -cz shop',
    'cp -r . /tmp/x',
    'cp -a ./ /tmp/x',
    'mv . /tmp/x',
    'rsync -a ./ /tmp/x',
    'zip -r /tmp/x.zip .',
    'zip -R /tmp/x.zip "*"',
    '7z a /tmp/x.7z .',
    'diff -r . /tmp',
    'find . -exec grep INNER {} +',
    'find . -type f | xargs cat',
    'cd src && grep -r INNER ..',
    'sudo grep -r INNER ..',
    'git grep INNER',
    "git grep INNER -- ':/'",
    "git grep INNER -- '*'",
    'git archive HEAD',
    'docker run -v .:/box alpine cat /box/secret/x',
    'grep -R INNER docs',
    'grep -r INNER *',
    'grep -r INNER s*',
  ])('is caught by a rule about a part of it: %s', async (command) => {
    expect(isCaught(await folder.inShell(command))).toBe(true);
  });

  it.each([
    'grep INNER .',
    'grep INNER README.md',
    'grep -r INNER src',
    'grep -r INNER README.md',
    'grep -rf words.txt src',
    'rg INNER src',
    'tar cf - src',
    'cp -r src /tmp/x',
    'cp README.md /tmp/x',
    'find src -exec grep INNER {} +',
    'git grep INNER -- src',
    'cat *.md',
    'grep INNER *.md',
    'ls -R .',
    'find . -name x',
    'tree',
  ])('is not caught where nothing below is meant: %s', async (command) => {
    expect(isCaught(await folder.inShell(command))).toBe(false);
  });

  it('is what a double star may be, whether the shell takes it so or not', async () => {
    expect(isCaught(await folder.inShell('shopt -s globstar; cat src/**'), 'src/lib/deep/x')).toBe(true);
    expect(isCaught(await folder.inShell('cat src/*'), 'src/lib/deep/x')).toBe(false);
  });

  it('is what a tool claims, of a folder alone', async () => {
    expect(isCaught(await folder.byTool('.', true))).toBe(true);
    expect(isCaught(await folder.byTool('..', true))).toBe(true);
    expect(isCaught(await folder.byTool('.'))).toBe(false);
    expect(isCaught(await folder.byTool('src', true))).toBe(false);
    expect(isCaught(await folder.byTool('README.md', true), '**/*.pem')).toBe(false);
    expect(isCaught(await folder.byTool('src', true), '**/*.pem')).toBe(true);
    expect(isCaught(await folder.byTool('.', true), `${folder.project}/secret/x`)).toBe(true);
  });

  it('says which way is open', async () => {
    const { verdict, because, matches } = folder.decided(await folder.byTool('.', true), 'deny', 'secret/**');
    expect(verdict).toBe('deny');
    expect(because).toContain('reads below ., where rule the-rule is about secret/**: name a narrower path');
    expect(matches[0]?.on).toContain('name a narrower path');
  });
});
