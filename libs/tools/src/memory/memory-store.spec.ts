import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOfRejection } from '../test-context.spec-support.js';
import { buildProgram, runProgram } from './child-program.spec-support.js';
import { withFileLock } from './file-lock.js';
import { MOST_MEMORIES, MemoryStore, memoryPath, type MemoryPlace } from './memory-store.js';

const signal = new AbortController().signal;
const by = { who: 'agent', session: 's-1' } as const;

describe('MemoryStore', () => {
  let home: string;
  let place: MemoryPlace;
  let now = 0;
  let store: MemoryStore;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'wstack-memory-')));
    place = { dataDir: join(home, 'data'), projectRoot: join(home, 'ws') };
    await mkdir(place.projectRoot);
    now = Date.parse('2026-01-31T12:00:00Z');
    store = new MemoryStore({ now: () => (now += 1000) });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const put = (text: string, more: { scope?: 'project' | 'user'; id?: string; tags?: string[] } = {}) =>
    store.remember(place, { scope: 'project', tags: [], by, signal, text, ...more });
  const idOf = async (text: string): Promise<string> => {
    const done = await put(text);
    if (done.kind === 'missing') throw new Error('missing');
    return done.memory.id;
  };
  const texts = async (from = store): Promise<readonly string[]> =>
    (await from.all(place)).map(({ memory }) => memory.text);
  const file = () => memoryPath(place, 'project');

  it('keeps memories with their source, the last changed first, for other stores too', async () => {
    const id = await idOf('first');
    await put('second', { scope: 'user', tags: ['a'] });
    expect(await new MemoryStore().all(place)).toEqual([
      {
        scope: 'user',
        memory: {
          id: expect.stringMatching(/^m-[0-9a-f]{10}$/),
          text: 'second',
          tags: ['a'],
          created: '2026-01-31T12:00:02.000Z',
          updated: '2026-01-31T12:00:02.000Z',
          by,
        },
      },
      { scope: 'project', memory: expect.objectContaining({ id, text: 'first' }) },
    ]);
    await put('first, changed', { id });
    expect(await texts()).toEqual(['first, changed', 'second']);
    expect((await store.find(place, id))?.memory).toMatchObject({
      created: '2026-01-31T12:00:01.000Z',
      updated: '2026-01-31T12:00:03.000Z',
    });
  });

  it('creates nothing by looking, and private files by writing', async () => {
    expect(await texts()).toEqual([]);
    expect(await readdir(home)).toEqual(['ws']);
    await put('x');
    expect((await stat(await file())).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(await file()))).mode & 0o777).toBe(0o700);
    expect((await stat(join(place.dataDir, 'memory'))).mode & 0o777).toBe(0o700);
    expect((await readdir(dirname(await file()))).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  });

  it('knows a project by its real path, and no other project by it', async () => {
    await put('x');
    await symlink(place.projectRoot, join(home, 'link'));
    await mkdir(join(home, 'other'));
    const seen = async (name: string) =>
      (await store.all({ ...place, projectRoot: join(home, name) })).map(({ memory }) => memory.text);
    expect(await seen('link')).toEqual(['x']);
    expect(await seen('other')).toEqual([]);
  });

  it('keeps the same text once', async () => {
    const id = await idOf('Use pnpm');
    expect(await put('Use pnpm')).toMatchObject({ kind: 'known', memory: { id } });
    expect(await put('use PNPM')).toMatchObject({ kind: 'changed', memory: { id } });
    expect(await texts()).toEqual(['use PNPM']);
  });

  it('forgets by a line of its own, once', async () => {
    const id = await idOf('x');
    expect((await store.forget(place, id, by, signal))?.memory.text).toBe('x');
    expect(await store.forget(place, id, by, signal)).toBeUndefined();
    expect(await texts(new MemoryStore())).toEqual([]);
    expect((await readFile(await file(), 'utf8')).trim().split('\n')).toHaveLength(2);
    expect(await put('y', { id })).toEqual({ kind: 'missing', id });
  });

  it('finds by words, ranked, in the shelves that are asked for', async () => {
    await put('Deploys run through the pipeline on Fridays');
    await put('The pipeline is in .ci', { tags: ['deploy'] });
    await put('Prefers short answers', { scope: 'user' });
    const found = async (query: string, scopes?: readonly ('project' | 'user')[]) =>
      (await store.search(place, query, scopes)).map(({ memory }) => memory.text.split(' ')[0]);
    expect(await found('deploy')).toEqual(['The', 'Deploys']);
    expect(await found('short deploys', ['user'])).toEqual(['Prefers']);
    expect(await found('nothing')).toEqual([]);
  });

  it('finds what is related to a memory, without itself', async () => {
    const id = await idOf('The staging database is reset every night');
    await put('Reset the staging database with make reset-db');
    await put('Unrelated style rule');
    const origin = (await store.find(place, id))?.memory.text ?? '';
    expect((await store.related(place, origin, id)).map(({ memory }) => memory.text)).toEqual([
      'Reset the staging database with make reset-db',
    ]);
  });

  it('has a limit, up to which old ones can still be changed', async () => {
    const id = await idOf('one');
    const line = (n: number) =>
      JSON.stringify({
        v: 1,
        op: 'put',
        id: `m-${n.toString(16).padStart(10, '0')}`,
        text: `t${n}`,
        tags: [],
        created: '',
        updated: '',
        by,
      });
    await appendFile(
      await file(),
      Array.from({ length: MOST_MEMORIES - 1 }, (_, n) => `${line(n)}\n`).join(''),
    );
    expect(await codeOfRejection(put('too many'))).toBe('memory.full');
    expect(await put('one, changed', { id })).toMatchObject({ kind: 'changed' });
  });

  it('rewrites its file when most of it says nothing any more', async () => {
    const id = await idOf('0');
    await appendFile(await file(), '{"v":2,"of":"the future"}\nnot JSON\n');
    for (let turn = 1; turn < 150; turn += 1) await put(String(turn), { id });
    const lines = (await readFile(await file(), 'utf8')).trim().split('\n');
    expect(lines.length).toBeLessThan(80);
    // What nobody here understands stays.
    expect(lines.slice(0, 2)).toEqual(['{"v":2,"of":"the future"}', 'not JSON']);
    expect(await texts(new MemoryStore())).toEqual(['149']);
    expect((await stat(await file())).mode & 0o777).toBe(0o600);
  });

  describe('after a crash', () => {
    it('ignores a torn last line, and the next writer cuts it off', async () => {
      await put('whole');
      await appendFile(await file(), '{"v":1,"op":"put","id":"m-00');
      expect(await texts(new MemoryStore())).toEqual(['whole']);
      await put('next');
      expect(await texts(new MemoryStore())).toEqual(['next', 'whole']);
      expect(await readFile(await file(), 'utf8')).not.toContain('m-00"');
      expect((await readFile(await file(), 'utf8')).trim().split('\n')).toHaveLength(2);
    });

    it('gives a whole last line the newline that it lacks', async () => {
      await put('whole');
      await writeFile(await file(), (await readFile(await file(), 'utf8')).trimEnd());
      await put('next');
      expect(await texts(new MemoryStore())).toEqual(['next', 'whole']);
    });

    it('takes over the lock of a process that has ended, and of one whose number was given away', async () => {
      await put('before');
      const lock = `${await file()}.lock`;
      const { hostname } = await import('node:os');
      const ended = runProgram(await emptyProgram(), []);
      await ended.ended;
      for (const pid of [ended.child.pid, process.pid]) {
        await writeFile(
          lock,
          JSON.stringify({ pid, host: hostname(), started: 'another boot:1', token: 't' }),
        );
        await put(`after ${String(pid)}`);
      }
      expect(await texts()).toHaveLength(3);
    });

    const emptyProgram = async (): Promise<string> => {
      await writeFile(join(home, 'empty.cjs'), '');
      return join(home, 'empty.cjs');
    };
  });

  it('waits for a living writer, no longer than its patience, and names it', async () => {
    const lock = join(home, 'x.lock');
    let free: () => void = () => undefined;
    const held = withFileLock(lock, { signal }, () => new Promise<void>((resolve) => (free = resolve)));
    await expect(withFileLock(lock, { signal, patienceMs: 30 }, async () => undefined)).rejects.toThrow(
      `${lock} is held by process ${process.pid}: try again when it is done`,
    );
    const aborted = AbortSignal.abort();
    await expect(withFileLock(lock, { signal: aborted }, async () => undefined)).rejects.toThrow('aborted');
    free();
    await held;
    expect(await withFileLock(lock, { signal }, async () => 'mine')).toBe('mine');
  });

  it('says what is wrong with a file that it cannot use', async () => {
    await mkdir(join(place.dataDir, 'memory'), { recursive: true });
    await mkdir(join(place.dataDir, 'memory', 'user.jsonl'));
    expect(await codeOfRejection(put('x', { scope: 'user' }))).toBe('memory.failed');
    await writeFile(join(home, 'elsewhere'), '');
    await mkdir(dirname(await file()));
    await symlink(join(home, 'elsewhere'), await file());
    expect(await codeOfRejection(put('x'))).toBe('memory.failed');
    expect(await readFile(join(home, 'elsewhere'), 'utf8')).toBe('');
  });

  describe('with other processes', () => {
    const program = () =>
      buildProgram(
        `import { MemoryStore } from './memory-store.js';
         const [dataDir, projectRoot, name, count] = process.argv.slice(2);
         const signal = new AbortController().signal;
         const by = { who: 'agent' as const, session: name };
         async function main() {
           const store = new MemoryStore();
           for (let n = 0; n < Number(count); n += 1) {
             await store.remember({ dataDir, projectRoot }, { scope: 'project', text: name + ' ' + n, tags: [], by, signal });
             process.stdout.write(n + ' ');
           }
         }
         void main();`,
        home,
      );

    it('loses no line of several writers', async () => {
      const path = program();
      const names = ['a', 'b', 'c'];
      await Promise.all(
        names.map((name) => runProgram(path, [place.dataDir, place.projectRoot, name, '25']).ended),
      );
      const expected = names.flatMap((name) => Array.from({ length: 25 }, (_, n) => `${name} ${n}`));
      expect([...(await texts())].sort()).toEqual(expected.sort());
    });

    it('keeps everything that was confirmed when a writer is killed', async () => {
      const running = runProgram(program(), [place.dataDir, place.projectRoot, 'k', '100000']);
      await new Promise<void>((resolve) => {
        let printed = '';
        running.child.stdout?.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
          if (printed.includes(' 20 ')) resolve();
        });
      });
      running.child.kill('SIGKILL');
      const confirmed = (await running.ended).trim().split(' ').length;
      await put('after the kill');
      const kept = await texts(new MemoryStore());
      expect(kept.filter((text) => /^k \d+$/.test(text)).length).toBeGreaterThanOrEqual(confirmed);
      expect(kept.filter((text) => !/^k \d+$/.test(text))).toEqual(['after the kill']);
    });
  });
});
