import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapSandbox } from '../sandbox/bubblewrap-sandbox.js';
import { buildChildProgram, startChild, untilPrinted } from '../files/child-program.spec-support.js';
import { collect } from '../testing/conformance-case.js';
import { sessionStoreCases } from '../testing/session-store.conformance.js';
import { JsonlSessionStore } from './jsonl-session-store.js';

const START = { projectRoot: '/p', cwd: '/p', model: 'm' };
const TS = '2026-01-02T03:04:05.678Z';
const note = (n: number, text = '') => ({ type: 'test:note', ts: TS, n, text });

let folder: string;
let store: JsonlSessionStore;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'sessions-')), 'sessions');
  store = new JsonlSessionStore(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

/** A closed session with two notes: its id and file. */
async function closedSession() {
  const log = await store.create(START);
  await log.append(note(1));
  await log.append(note(2));
  await log.close();
  return { id: log.id, file: log.file };
}
const append = async (file: string, text: string | Buffer) => {
  const handle = await open(file, 'a');
  await handle.appendFile(text);
  await handle.close();
};

describe('sessions as files meet the port', () => {
  it.each(sessionStoreCases)('$name', ({ run }) =>
    run({ store, again: () => new JsonlSessionStore(folder) }),
  );
});

describe('the file', () => {
  it('is one line of JSON an entry, for its owner alone', async () => {
    const { file } = await closedSession();
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines.map((line) => (line === '' ? '' : (JSON.parse(line) as { type: string }).type))).toEqual([
      'session_start',
      'test:note',
      'test:note',
      '',
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('lies in a folder that is tightened when it was open to others', async () => {
    await (await store.create(START)).close();
    await chmod(folder, 0o755);
    await (await store.create(START)).close();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('is no link to somewhere else', async () => {
    const { file } = await closedSession();
    await symlink(file, join(folder, 's-link.jsonl'));
    await expect(store.open('s-link')).rejects.toMatchObject({ code: 'storage.not_a_file' });
    expect(await store.list()).toHaveLength(1);
  });

  it('is nothing that would keep a reader waiting', async () => {
    await closedSession();
    execFileSync('mkfifo', [join(folder, 's-pipe.jsonl')]);
    await expect(store.open('s-pipe')).rejects.toMatchObject({ code: 'storage.not_a_file' });
    const problems: unknown[] = [];
    expect(await store.list({ onUnreadable: (problem) => problems.push(problem) })).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'storage.not_a_file' }]);
  });
});

describe('a torn last line', () => {
  it('is moved aside and named by a repair entry, and nothing else is lost', async () => {
    const { id, file } = await closedSession();
    const torn = '{"type":"test:note","ts":"2026-01-02T03:04';
    await append(file, torn);
    const log = await store.open(id);
    await log.append(note(3));
    const entries = await collect(log.entries());
    await log.close();
    expect(entries.slice(1)).toEqual([
      note(1),
      note(2),
      {
        type: 'repair',
        ts: expect.any(String),
        what: expect.stringContaining(`${torn.length} bytes are kept in ${id}.torn`),
      },
      note(3),
    ]);
    expect(await readFile(join(folder, `${id}.torn`), 'utf8')).toBe(`${torn}\n`);
    expect((await stat(join(folder, `${id}.torn`))).mode & 0o777).toBe(0o600);
  });

  it('may be torn at any byte: what came before is kept, and the line too once it is whole', async () => {
    const { id, file } = await closedSession();
    const before = await readFile(file);
    const line = Buffer.from(JSON.stringify(note(3, 'ü👩‍💻')));
    for (let cut = 0; cut <= line.length; cut += 1) {
      await writeFile(file, Buffer.concat([before, line.subarray(0, cut)]));
      const log = await store.open(id);
      const entries = await collect(log.entries());
      await log.close();
      expect(entries.slice(1, 3)).toEqual([note(1), note(2)]);
      const kept = cut === line.length ? ['test:note', 'repair'] : cut === 0 ? [] : ['repair'];
      expect(entries.slice(3).map((entry) => entry.type)).toEqual(kept);
    }
  });

  it('may be what a power cut leaves: zeros', async () => {
    const { id, file } = await closedSession();
    await append(file, Buffer.alloc(5000));
    const log = await store.open(id);
    expect((await collect(log.entries())).map((entry) => entry.type)).toEqual([
      'session_start',
      'test:note',
      'test:note',
      'repair',
    ]);
    await log.close();
  });

  it('is not touched by readers, since somebody may be writing it', async () => {
    const { id, file } = await closedSession();
    await append(file, '{"type":"half');
    const before = await readFile(file);
    expect(await collect(store.read(id))).toHaveLength(3);
    expect(await store.list()).toHaveLength(1);
    expect(await readFile(file)).toEqual(before);
  });
});

describe('damage', () => {
  it('in the middle is skipped and named in its place', async () => {
    const { id, file } = await closedSession();
    await append(file, `not json\n${Buffer.alloc(10).toString()}\n[1]\n{"type":"no time"}\n\n`);
    await append(file, Buffer.from([0xff, 0xfe, 10]));
    await append(file, `${JSON.stringify(note(3))}\n`);
    const entries = await collect(store.read(id));
    expect(entries.slice(3, -1).map((entry) => 'what' in entry && entry.what)).toEqual([
      'line 4 is damaged (8 bytes) and was skipped',
      'line 5 is damaged (10 bytes) and was skipped',
      'line 6 is damaged (3 bytes) and was skipped',
      'line 7 is damaged (18 bytes) and was skipped',
      'line 8 is damaged (0 bytes) and was skipped',
      'line 9 is damaged (2 bytes) and was skipped',
    ]);
    expect(entries.at(-1)).toEqual(note(3));
  });

  it.each([
    { type: 'user_input', content: 'x' },
    { type: 'user_input', content: [null] },
    { type: 'assistant_message' },
    { type: 'assistant_message', content: [{ type: 'tool_use' }] },
    { type: 'tool_use' },
    { type: 'tool_started', call: 1 },
    { type: 'tool_result', call: 'c', content: 'text' },
    { type: 'tool_result', call: 'c', content: [{ type: 'text', text: 1 }] },
    { type: 'compaction' },
  ])('is JSON as well that is not what its type is made of: %j', async (entry) => {
    const { id, file } = await closedSession();
    await append(file, `${JSON.stringify({ ts: TS, ...entry })}\n`);
    expect((await collect(store.read(id))).at(-1)).toMatchObject({
      type: 'repair',
      what: expect.stringMatching(/^line 4 is damaged/),
    });
  });

  it.each([
    ['an empty file', '', 'session.corrupt'],
    ['no session', 'hello\n', 'session.corrupt'],
    ['a start without a version', `{"type":"session_start","ts":"${TS}"}\n`, 'session.corrupt'],
    ['another first entry', `{"type":"user_input","ts":"${TS}"}\n`, 'session.corrupt'],
    ['only a torn line', '{"type":"session_st', 'session.corrupt'],
    ['a newer version', `{"type":"session_start","ts":"${TS}","version":2}\n`, 'session.unsupported'],
  ])('of the beginning is an error that changes nothing: %s', async (_name, content, code) => {
    await (await store.create(START)).close();
    const file = join(folder, 's-bad.jsonl');
    await writeFile(file, content);
    await expect(store.open('s-bad')).rejects.toMatchObject({ code });
    await expect(collect(store.read('s-bad'))).rejects.toMatchObject({ code });
    expect(await readFile(file, 'utf8')).toBe(content);
    // And the lock was given back.
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
    // A listing has the others, and says which is missing.
    const problems: unknown[] = [];
    const listed = await store.list({ onUnreadable: (problem) => problems.push(problem) });
    expect(listed.map(({ id }) => id)).not.toContain('s-bad');
    expect(listed).toHaveLength(1);
    expect(problems).toEqual([expect.objectContaining({ code, message: expect.stringContaining('s-bad') })]);
  });

  it('that is a folder named like a session is no session', async () => {
    await (await store.create(START)).close();
    await mkdir(join(folder, 's-folder.jsonl'));
    expect(await store.list()).toHaveLength(1);
    await expect(store.open('s-folder')).rejects.toMatchObject({ code: 'session.not_found' });
  });
});

describe('large sessions', () => {
  it('of 20 MB and 10,000 entries are opened and read in bounded memory, and listed without being read again', async () => {
    const log = await store.create(START);
    const text = 'x'.repeat(1_850);
    await Promise.all(Array.from({ length: 9_999 }, (_, n) => log.append(note(n, text))));
    await log.append(note(9_999, 'y'.repeat(1_700_000)));
    await log.close();
    expect((await stat(log.file)).size).toBeGreaterThan(20_000_000);

    const again = await store.open(log.id);
    let count = 0;
    for await (const entry of again.entries()) if (entry.type === 'test:note') count += 1;
    await again.close();
    expect(count).toBe(10_000);

    const [first] = await store.list();
    const sidecar = join(folder, `${log.id}.summary.json`);
    expect((await stat(sidecar)).size).toBeLessThan(1_000);
    // A part that was read already is not read again: the listing does not notice that it is garbage now.
    const handle = await open(log.file, 'r+');
    await handle.write(Buffer.alloc(10_000_000, 0x78), 0, 10_000_000, 200);
    await handle.close();
    expect(await store.list()).toEqual([first]);
  });

  it('is listed anew when its sidecar is damaged or belongs to something else', async () => {
    const { id } = await closedSession();
    const expected = await store.list();
    for (const content of [
      '{',
      '[]',
      '{"size":1e9,"summary":{}}',
      '{"size":10,"summary":{"calls":"many"}}',
    ]) {
      await writeFile(join(folder, `${id}.summary.json`), content);
      expect(await store.list()).toEqual(expected);
    }
  });
});

describe('other processes', () => {
  const CHILD = `
import { JsonlSessionStore } from './jsonl/jsonl-session-store.js';
const [folder, id, name, mode] = process.argv.slice(2);
try {
  const log = await new JsonlSessionStore(folder).open(id);
  console.log('opened');
  if (mode === 'hold') await new Promise((resolve) => setTimeout(resolve, 60_000));
  for (let n = 0; n < 500; n += 1) await log.append({ type: 'test:' + name, ts: new Date().toISOString(), n });
  await log.close();
} catch (error) {
  console.log(error.code + ' ' + error.message);
  process.exitCode = 9;
}`;
  let programs: string;
  let program: string;
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'programs-'));
    program = buildChildProgram(CHILD, programs, 'session-child');
  });
  afterAll(() => rm(programs, { recursive: true }));
  const start = (id: string, name: string, mode = 'write') =>
    startChild([process.execPath, program, folder, id, name, mode]);

  it('that write to one session at once never mix their lines: one is refused and told who holds it', async () => {
    const { id } = await closedSession();
    const holder = start(id, 'holder', 'hold');
    await untilPrinted(holder.child, 'opened');
    const second = await start(id, 'second').end;
    expect(second.code).toBe(9);
    expect(second.stdout).toMatch(`session.locked session ${id} is in use by process ${holder.child.pid}`);
    expect((await store.list())[0]).toMatchObject({ state: 'open' });
    holder.child.kill('SIGKILL');
    await holder.end;

    // Killed: its lock is stale, and one of those that find it so becomes the next writer.
    const both = await Promise.all([start(id, 'a').end, start(id, 'b').end]);
    for (const { code, stdout } of both) expect(code === 0 || stdout.includes('session.locked')).toBe(true);
    const winners = both.filter(({ code }) => code === 0).length;
    expect(winners).toBeGreaterThanOrEqual(1);
    const entries = await collect(store.read(id));
    expect(entries).toHaveLength(3 + 500 * winners);
    expect(entries.some((entry) => entry.type === 'repair')).toBe(false);
    expect((await store.list())[0]).toMatchObject({ state: 'ended' });
  }, 30_000);

  it('that has ended and whose number was given to this one does not keep its lock', async () => {
    const { id } = await closedSession();
    const lock = {
      pid: process.pid,
      host: hostname(),
      started: 'long ago',
      token: 't',
    };
    await writeFile(join(folder, `${id}.lock`), JSON.stringify(lock));
    await (await store.open(id)).close();
  });

  it('on another machine keeps it', async () => {
    const { id } = await closedSession();
    const lock = { pid: 1, host: 'elsewhere', started: null, token: 't' };
    await writeFile(join(folder, `${id}.lock`), JSON.stringify(lock));
    await expect(store.open(id)).rejects.toMatchObject({
      code: 'session.locked',
      message: `session ${id} is in use by process 1 on elsewhere`,
    });
  });

  it('that find a stale lock at the same moment: exactly one takes it over', async () => {
    const source = `
import { FileLock } from './files/file-lock.js';
const [folder, from] = process.argv.slice(2);
while (Date.now() < Number(from)) {}
let held = '';
for (let n = 0; n < 100; n += 1) held += FileLock.tryTake(folder + '/' + n + '.lock').taken ? '1' : '0';
console.log(held);
await new Promise((resolve) => setTimeout(resolve, 700));`;
    const racer = buildChildProgram(source, programs, 'lock-child');
    // Left behind by a process that has ended.
    const dead = startChild([process.execPath, '-e', '']);
    await dead.end;
    const stale = {
      pid: dead.child.pid,
      host: hostname(),
      started: 'x',
      token: 't',
    };
    for (let n = 0; n < 100; n += 1) await writeFile(join(programs, `${n}.lock`), JSON.stringify(stale));
    const from = String(Date.now() + 400);
    const racers = Array.from({ length: 3 }, () => startChild([process.execPath, racer, programs, from]).end);
    const held = (await Promise.all(racers)).map(({ stdout }) => stdout.trim());
    expect(held.map((one) => one.length)).toEqual([100, 100, 100]);
    for (let n = 0; n < 100; n += 1) {
      expect(held.filter((one) => one.charAt(n) === '1').length).toBe(1);
    }
  }, 30_000);
});

describe('a full disk', () => {
  const SOURCE = `
import { appendFileSync, rmSync } from 'node:fs';
import { JsonlSessionStore } from './jsonl/jsonl-session-store.js';
const folder = process.argv[2];
const store = new JsonlSessionStore(folder + '/sessions');
const log = await store.create({ projectRoot: '/p', cwd: '/p', model: 'm' });
const note = (n) => ({ type: 'test:note', ts: '2026-01-02T03:04:05.678Z', n, text: 'x'.repeat(3000) });
await log.append(note(0));
for (const piece of [65536, 1]) {
  try { for (;;) appendFileSync(folder + '/filler', Buffer.alloc(piece)); } catch {}
}
const codes = [];
let kept = 1;
while (codes.length < 3) await log.append(note(kept)).then(() => { kept += 1; }, (error) => codes.push(error.code));
rmSync(folder + '/filler');
await log.append(note(kept));
kept += 1;
await log.close();
const types = [];
const numbers = [];
for await (const entry of store.read(log.id)) { types.push(entry.type); numbers.push(entry.n); }
console.log(JSON.stringify({ codes, kept, types: [...new Set(types)], inOrder: numbers.slice(1).every((n, i) => n === i), count: numbers.length - 1 }));`;

  it('refuses entries whole, and the session goes on once there is room', async () => {
    if ((await new BubblewrapSandbox().unavailable()) !== null) return expect(process.platform).toBeDefined();
    const program = buildChildProgram(SOURCE, join(folder, '..'), 'full-disk');
    const small = ['--dev', '/dev', '--size', String(2 * 1024 * 1024), '--tmpfs', '/mnt'];
    const { stdout, stderr } = await startChild([
      'bwrap',
      '--bind',
      '/',
      '/',
      ...small,
      process.execPath,
      program,
      '/mnt',
    ]).end;
    expect(stderr).toBe('');
    const told = JSON.parse(stdout) as { kept: number };
    expect(told).toEqual({
      codes: ['session.unwritable', 'session.unwritable', 'session.unwritable'],
      kept: told.kept,
      count: told.kept,
      types: ['session_start', 'test:note'],
      inOrder: true,
    });
  }, 30_000);
});
