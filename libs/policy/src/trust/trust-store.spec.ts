import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.js';
import { joinTrust, MemoryTrustStore } from './memory-trust-store.js';
import type { TrustEntry } from './trust-entry.js';
import { FileTrustStores, trustFileOf, type FileTrustStore } from './trust-store.js';

const entry = (id: string, change: Partial<TrustEntry> = {}): TrustEntry => ({
  id,
  effect: 'allow',
  tool: 'bash',
  owner: 'core',
  definitionDigest: 'sha256:1',
  subject: { kind: 'command', words: ['npm', id] },
  expiresAt: '2026-12-07T14:02:00.000Z',
  grantedBy: 'mira',
  grantedAt: '2026-11-30T14:02:00.000Z',
  ...change,
});

describe('the trust file', () => {
  let home: string;
  let store: FileTrustStore;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'trust-'));
    store = new FileTrustStores(home).forProject('/work/pay') as FileTrustStore;
  });
  afterEach(() => rm(home, { recursive: true }));

  it('is absent at first, which means no entries', async () => {
    expect(await store.view()).toEqual({ status: 'ok', entries: [] });
    expect(await store.revoke('none')).toBe(false);
  });

  it('keeps entries for its project alone', async () => {
    await store.add([entry('test'), entry('never', { effect: 'deny', expiresAt: null })]);
    expect((await store.list()).map(({ id }) => id)).toEqual(['test', 'never']);
    const other = new FileTrustStores(home).forProject('/work/pay2');
    expect(await other.view()).toEqual({ status: 'ok', entries: [] });
  });

  it('is for its owner alone, and leaves nothing beside it', async () => {
    await store.add([entry('test')]);
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(store.file)).toBe(0o600);
    expect(await mode(dirname(store.file))).toBe(0o700);
    expect(await readdir(dirname(store.file))).toEqual(['trust.json']);
  });

  it('holds one entry a line for people', async () => {
    await store.add([entry('a'), entry('b')]);
    expect(
      (await readFile(store.file, 'utf8')).split('\n').filter((line) => line.includes('"id"')),
    ).toHaveLength(2);
  });

  it('shows at once what another process wrote', async () => {
    await store.add([entry('test')]);
    expect(await store.view()).toMatchObject({ entries: [{ id: 'test' }] });
    const elsewhere = new FileTrustStores(home).forProject('/work/pay');
    expect(await elsewhere.revoke('test')).toBe(true);
    expect(await store.view()).toEqual({ status: 'ok', entries: [] });
  });

  it('replaces an entry that says the same', async () => {
    await store.add([entry('one', { subject: { kind: 'host', host: 'a' } })]);
    await store.add([entry('two', { subject: { kind: 'host', host: 'a' } })]);
    expect((await store.list()).map(({ id }) => id)).toEqual(['two']);
  });

  it('loses nothing when several write at once', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `e${index}`);
    await Promise.all(ids.map((id) => new FileTrustStores(home).forProject('/work/pay').add([entry(id)])));
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  const corruptions: [string, (file: string) => Promise<unknown>][] = [
    ['bad JSON', (file) => writeFile(file, '{\n"version": 1,\n oops }', { mode: 0o600 })],
    ['an empty file', (file) => writeFile(file, '', { mode: 0o600 })],
    [
      'another version',
      (file) => writeFile(file, '{"version":2,"project":"/work/pay","entries":[]}', { mode: 0o600 }),
    ],
    [
      'another project',
      (file) => writeFile(file, '{"version":1,"project":"/work/x","entries":[]}', { mode: 0o600 }),
    ],
    [
      'an unknown field',
      (file) =>
        writeFile(file, '{"version":1,"project":"/work/pay","entries":[],"all":true}', { mode: 0o600 }),
    ],
    [
      'an allow without an end',
      (file) =>
        writeFile(
          file,
          JSON.stringify({ version: 1, project: '/work/pay', entries: [entry('a', { expiresAt: null })] }),
          { mode: 0o600 },
        ),
    ],
    [
      'a misspelt effect',
      (file) =>
        writeFile(
          file,
          JSON.stringify({ version: 1, project: '/work/pay', entries: [{ ...entry('a'), effect: 'alow' }] }),
          { mode: 0o600 },
        ),
    ],
    [
      'a field twice, the second of which says nothing',
      (file) =>
        writeFile(
          file,
          `{"version":1,"project":"/work/pay","entries":[${JSON.stringify(entry('a', { effect: 'deny' }))}],"entries":[]}`,
          { mode: 0o600 },
        ),
    ],
    [
      'an effect twice',
      (file) =>
        writeFile(
          file,
          JSON.stringify({ version: 1, project: '/work/pay', entries: [entry('a')] }).replace(
            '"effect"',
            '"effect":"deny","effect"',
          ),
          { mode: 0o600 },
        ),
    ],
    ['bytes that are no text', (file) => writeFile(file, Buffer.from([0xff, 0xfe]), { mode: 0o600 })],
    ['a pipe', async (file) => execFileSync('mkfifo', ['-m', '600', file])],
    ['a link', (file) => symlink('/etc/hostname', file)],
    ['a dangling link', (file) => symlink('nowhere', file)],
    ['a folder', (file) => mkdir(file)],
    [
      'a file that others can write',
      async (file) => {
        await writeFile(file, '{"version":1,"project":"/work/pay","entries":[]}');
        await chmod(file, 0o666);
      },
    ],
  ];
  it.each(corruptions)('is corrupt, and kept, with %s', async (_, lay) => {
    await mkdir(dirname(store.file), { recursive: true });
    await lay(store.file);
    const view = await store.view();
    expect(view).toMatchObject({ status: 'corrupt', file: store.file });
    await expect(store.add([entry('x')])).rejects.toMatchObject({ code: 'trust.corrupt' });
    await expect(store.revoke('x')).rejects.toMatchObject({ code: 'trust.corrupt' });
    expect(await store.view()).toEqual(view);
  });

  it('names the line of bad JSON', async () => {
    await mkdir(dirname(store.file), { recursive: true });
    await writeFile(store.file, '{\n"version": 1,\n oops }', { mode: 0o600 });
    expect(await store.view()).toMatchObject({
      reason: expect.stringContaining('trust.json:3: not valid JSON'),
    });
  });

  it('counts again once it is put right', async () => {
    await mkdir(dirname(store.file), { recursive: true });
    await writeFile(store.file, '{', { mode: 0o600 });
    expect((await store.view()).status).toBe('corrupt');
    await rm(store.file);
    expect(await store.view()).toEqual({ status: 'ok', entries: [] });
  });

  it.each<[string, (place: string) => Promise<unknown>]>([
    ['a file', (place) => writeFile(place, 'a file')],
    ['a link that leads nowhere', (place) => symlink('nowhere', place)],
    ['a link to itself', (place) => symlink(place, place)],
  ])('is corrupt where a folder of it is %s: a denial may be behind it', async (_, lay) => {
    for (const place of [dirname(store.file), join(home, 'projects')]) {
      await mkdir(dirname(place), { recursive: true });
      await rm(place, { recursive: true, force: true });
      await lay(place);
      expect((await store.view()).status).toBe('corrupt');
      await expect(store.add([entry('x')])).rejects.toMatchObject({ code: 'trust.corrupt' });
    }
  });

  it('has a name without the path of the project', () => {
    expect(trustFileOf('/h', '/work/../pay')).toMatch(/^\/h\/projects\/[0-9a-f]{32}\/trust\.json$/);
  });
});

describe('the lock', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is taken over from a process that died', async () => {
    const lock = join(folder, 'lock');
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    const { hostname } = await import('node:os');
    await writeFile(lock, `${hostname()} ${pid} abc`);
    expect(await withFileLock(lock, async () => 'done')).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is waited for while its owner lives', async () => {
    const lock = join(folder, 'lock');
    const { hostname } = await import('node:os');
    const child = execFile(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    await writeFile(lock, `${hostname()} ${child.pid} abc`);
    let ran = false;
    const waiting = withFileLock(lock, async () => {
      ran = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ran).toBe(false);
    await new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'));
    await waiting;
    expect(ran).toBe(true);
  });

  it('is released when the work throws', async () => {
    const lock = join(folder, 'lock');
    await expect(withFileLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('grants of one session', () => {
  it('live in memory and join those of the file', async () => {
    const store = new MemoryTrustStore();
    await store.add([entry('a')]);
    const file = { status: 'ok', entries: [entry('b')] } as const;
    expect(joinTrust(file, await store.view())).toMatchObject({ entries: [{ id: 'b' }, { id: 'a' }] });
    const broken = { status: 'corrupt', file: 'f', reason: 'r' } as const;
    expect(joinTrust(broken, await store.view())).toBe(broken);
    expect(await store.revoke('a')).toBe(true);
    expect(await store.list()).toEqual([]);
  });
});
