import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFactFileSystem, type FactFileSystem, type FileFacts } from './fact-file-system.js';
import { comparisonFor, relativeInside } from './inside.js';
import { resolvePath } from './resolve-path.js';

describe('where a path really leads', () => {
  let root: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'resolve-')));
    await mkdir(join(root, 'dir/sub'), { recursive: true });
    await writeFile(join(root, 'file'), 'x');
    await symlink('dir/sub', join(root, 'link'));
    await symlink('nowhere/yet', join(root, 'dangling'));
    await symlink('b', join(root, 'a'));
    await symlink('a', join(root, 'b'));
    for (let step = 0; step < 45; step++) await symlink(`chain${step + 1}`, join(root, `chain${step}`));
    await symlink('dangling', join(root, 'twice'));
    execFileSync('mkfifo', [join(root, 'fifo')]);
  });
  afterAll(() => rm(root, { recursive: true }));
  const resolve = (path: string) => resolvePath(nodeFactFileSystem, path, root);

  it('follows links, and dangling links to where a write would create the file', async () => {
    expect(await resolve('link')).toEqual({
      status: 'found',
      real: join(root, 'dir/sub'),
      kind: 'directory',
    });
    expect(await resolve('dangling')).toEqual({ status: 'new', real: join(root, 'nowhere/yet') });
    expect(await resolve('twice')).toEqual({ status: 'new', real: join(root, 'nowhere/yet') });
  });

  it('resolves the nearest existing parent of a new file', async () => {
    expect(await resolve('link/new/deep.txt')).toEqual({
      status: 'new',
      real: join(root, 'dir/sub/new/deep.txt'),
    });
  });

  it('reads .. behind a link as the kernel does', async () => {
    expect(await resolve('link/../new')).toEqual({ status: 'new', real: join(root, 'dir/new') });
    expect(await resolve('../../../../../../../etc/hostname-of-nobody')).toMatchObject({
      real: '/etc/hostname-of-nobody',
    });
  });

  it.each([
    ['a loop of links', 'a'],
    ['a chain that is too long', 'chain0'],
    ['a file used as a folder', 'file/x'],
    ['a name that is too long', 'n'.repeat(300)],
    ['a new name that is too long', `not-there/${'n'.repeat(300)}`],
    ['a NUL byte', 'fi\0le'],
    ['half of a surrogate pair', 'fi\ud800le'],
    ['.. below what does not exist', 'not-there/../../../etc/passwd'],
    ['a link that differs in every process', '/proc/self/cwd/x'],
    ['an open descriptor', '/proc/self/fd/3'],
  ])('cannot resolve %s', async (_, path) => {
    expect((await resolve(path)).status).toBe('unresolvable');
  });

  it('says what is no file', async () => {
    expect(await resolve('fifo')).toMatchObject({ status: 'found', kind: 'fifo' });
    expect(await resolve('/dev/zero')).toMatchObject({ status: 'found', kind: 'device' });
  });

  it('takes ENOENT alone for new', async () => {
    const denied: FactFileSystem = {
      ...nodeFactFileSystem,
      lstat: (path) =>
        path.endsWith('/secret')
          ? Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))
          : nodeFactFileSystem.lstat(path),
    };
    expect(await resolvePath(denied, 'dir/secret', root)).toMatchObject({
      status: 'unresolvable',
      reason: expect.stringContaining('EACCES'),
    });
  });
});

/** A disk of folders, for rules of platforms that are not this one. Keys are in the disk's own spelling. */
function disk(
  platform: NodeJS.Platform,
  folders: readonly string[],
  aliases: Record<string, string> = {},
): FactFileSystem {
  const fold = (path: string) => path.toUpperCase();
  const truth = new Map(folders.map((path) => [fold(path), path]));
  for (const [alias, path] of Object.entries(aliases)) truth.set(fold(alias), path);
  const find = (path: string): string => {
    const found = truth.get(fold(path));
    if (found === undefined) throw Object.assign(new Error('none'), { code: 'ENOENT' });
    return found;
  };
  return {
    platform,
    lstat: async (path): Promise<FileFacts> => ({
      kind: 'directory',
      size: 0,
      identity: find(path),
      mtimeNs: '0',
    }),
    readlink: async () => '',
    realpath: async (path) => find(path),
    list: async () => [],
    bytes: async () => Buffer.alloc(0),
    hash: async () => '',
  };
}

describe('platforms with other rules', () => {
  const windows = disk('win32', ['C:\\', 'C:\\ws', 'C:\\Program Files'], {
    'C:\\PROGRA~1': 'C:\\Program Files',
  });

  it('compares short names by the final real path only', async () => {
    const found = await resolvePath(windows, 'C:\\PROGRA~1\\x', 'C:\\ws');
    expect(found).toEqual({ status: 'new', real: 'C:\\Program Files\\x' });
  });

  it('puts every spelling of a file in the project into one', async () => {
    const how = await comparisonFor(windows, 'C:\\ws');
    for (const spelling of ['c:/WS/a.txt', '\\\\?\\C:\\ws\\a.txt', 'a.txt']) {
      const found = await resolvePath(windows, spelling, 'C:\\ws');
      expect(found).toEqual({ status: 'new', real: 'C:\\ws\\a.txt' });
      expect(relativeInside('C:\\ws', 'C:\\ws\\a.txt', how)).toBe('a.txt');
    }
  });

  it.each(['\\\\localhost\\C$\\Windows\\win.ini', '//server/share', '\\\\.\\C:', 'NUL'])(
    'denies %s',
    async (path) => {
      expect((await resolvePath(windows, path, 'C:\\ws')).status).toBe('device');
    },
  );

  it('asks the disk whether case counts', async () => {
    const mac = disk('darwin', ['/', '/Users', '/Users/me', '/Users/me/App']);
    const how = await comparisonFor(mac, '/Users/me/App');
    expect(how.ignoreCase).toBe(true);
    expect(relativeInside('/Users/me/App', '/users/ME/app/x', how)).toBe('x');
    expect((await comparisonFor(nodeFactFileSystem, tmpdir())).ignoreCase).toBe(false);
  });
});

describe('containment', () => {
  const how = { separator: '/', ignoreCase: false } as const;
  it('goes by whole names', () => {
    expect(relativeInside('/work/app', '/work/app-evil/x', how)).toBeNull();
    expect(relativeInside('/work/app', '/work', how)).toBeNull();
    expect(relativeInside('/work/app', '/work/app', how)).toBe('');
    expect(relativeInside('/work/app', '/work/app/a/b', how)).toBe('a/b');
    expect(relativeInside('/', '/etc', how)).toBe('etc');
  });
});
