import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '@wrongstack/contracts';
import { BubblewrapSandbox } from '../sandbox/bubblewrap-sandbox.js';
import { buildChildProgram, startChild } from '../files/child-program.spec-support.js';
import { auditLogCases, auditNote } from '../testing/audit-log.conformance.js';
import { JsonlAuditLog } from './jsonl-audit-log.js';
import { verifyAudit } from './verify-audit.js';

const DAY = 86_400_000;

let folder: string;
let now: number;
const clock = { now: () => now };
const opened: JsonlAuditLog[] = [];
const newLog = (options: { rotateBytes?: number } = {}) => {
  const log = new JsonlAuditLog(folder, { clock, reserveBytes: 64 * 1024, ...options });
  opened.push(log);
  return log;
};
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'audit-')), 'audit');
  now = Date.parse('2026-11-30T12:00:00Z');
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
  await rm(join(folder, '..'), { recursive: true });
});

const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
const linesOf = async (name: string) => (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1);
const entries = async (): Promise<AuditEntry[]> => {
  const lines = (await Promise.all((await files()).map(linesOf))).flat();
  return lines.map((line) => (JSON.parse(line) as { entry: AuditEntry }).entry);
};
/** A chain of so many notes in one file; its name. */
const chainOf = async (count: number) => {
  const log = newLog();
  for (let n = 0; n < count; n += 1) await log.append(auditNote(n));
  await log.close();
  return (await files()).find((name) => name.includes(log.chain))!;
};
const kinds = async () =>
  (await verifyAudit(folder)).problems.map(({ kind, line }) => `${kind}@${line ?? 'end'}`);

describe('an audit log in files meets the port', () => {
  it.each(auditLogCases)('$name', ({ run }) => run({ log: newLog(), entries }));
});

describe('chains', () => {
  it('are one a writer, for the owner alone, and verify', async () => {
    const logs = [newLog(), newLog()];
    for (let n = 0; n < 5; n += 1) await Promise.all(logs.map((log) => log.append(auditNote(n))));
    expect(await files()).toEqual(logs.map(({ chain }) => `2026-11-30.${chain}.0000.jsonl`).sort());
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await verifyAudit(folder)).toEqual({ ok: true, chains: 2, records: 10, problems: [] });
  });

  it('go on in a new file with a new day and with a file that is full', async () => {
    const log = newLog({ rotateBytes: 2_000 });
    for (let n = 0; n < 20; n += 1) await log.append(auditNote(n));
    now += DAY;
    await log.append(auditNote(20));
    const names = await files();
    expect(names.length).toBeGreaterThan(2);
    expect(names.at(-1)).toMatch(/^2026-12-01\./);
    expect((await entries()).map((entry) => entry.data?.['n'])).toEqual(
      Array.from({ length: 21 }, (_, n) => n),
    );
    expect(await verifyAudit(folder)).toMatchObject({ ok: true, chains: 1, records: 21 });
    await rm(join(folder, names[1]!));
    expect((await verifyAudit(folder)).problems).toEqual([
      { kind: 'gap', file: names[2], line: 1, message: expect.stringMatching(/^records \d+ to \d+ missing/) },
    ]);
  });

  it.each<[string, (lines: string[]) => string[], string[]]>([
    ['changed', (l) => l.with(2, l[2]!.replace('"n":2', '"n":9')), ['altered@3']],
    ['removed', (l) => l.toSpliced(2, 1), ['gap@3']],
    ['removed from the beginning', (l) => l.slice(2), ['gap@1']],
    ['swapped', (l) => l.with(2, l[3]!).with(3, l[2]!), ['gap@3', 'order@4']],
    ['repeated', (l) => l.toSpliced(3, 0, l[2]!), ['order@4']],
    ['removed from the end', (l) => l.slice(0, -2), ['truncated@end']],
    ['replaced by something else', (l) => l.with(2, 'hello'), ['unreadable@3', 'gap@4']],
  ])('show a record that was %s', async (_name, change, expected) => {
    const name = await chainOf(6);
    await writeFile(join(folder, name), `${change(await linesOf(name)).join('\n')}\n`);
    expect(await kinds()).toEqual(expected);
  });

  it('show a record that was changed together with its hash, by the one after it', async () => {
    const name = await chainOf(4);
    const other = await chainOf(4);
    const foreign = (await linesOf(other))[1]!;
    const lines = await linesOf(name);
    await writeFile(join(folder, name), `${lines.with(1, foreign).join('\n')}\n`);
    expect(await kinds()).toEqual(expect.arrayContaining(['foreign@2', 'broken-link@2', 'broken-link@3']));
  });

  it('show an end that was written anew, and files that are gone', async () => {
    const name = await chainOf(3);
    await rm(join(folder, name));
    expect(await kinds()).toEqual(['truncated@end']);
  });

  it('are none where nothing was ever recorded', async () => {
    expect(await verifyAudit(folder)).toEqual({ ok: true, chains: 0, records: 0, problems: [] });
    await newLog().append(auditNote(1));
  });

  it('are verified while they are written', async () => {
    const log = newLog({ rotateBytes: 5_000 });
    await log.append(auditNote(0));
    const writing = (async () => {
      for (let n = 1; n < 150; n += 1) await log.append(auditNote(n));
    })();
    for (let round = 0; round < 10; round += 1) {
      expect((await verifyAudit(folder)).problems.filter(({ kind }) => kind !== 'torn')).toEqual([]);
    }
    await writing;
    expect(await verifyAudit(folder)).toMatchObject({ ok: true, records: 150 });
  });

  it('tell a write that was interrupted from a change', async () => {
    const name = await chainOf(3);
    await writeFile(join(folder, name), `${(await linesOf(name)).join('\n')}\n{"v":1,"cha`);
    expect(await kinds()).toEqual(['torn@4']);
  });
});

describe('a log that cannot be written', () => {
  it('rejects and says so', async () => {
    await writeFile(join(folder, '..', 'file'), '');
    const log = new JsonlAuditLog(join(folder, '..', 'file', 'audit'));
    await expect(log.append(auditNote(1))).rejects.toMatchObject({
      code: 'audit.unwritable',
      message: expect.stringMatching(/cannot be written \(ENOTDIR\)$/),
    });
  });
});

describe('a full disk', () => {
  const SOURCE = `
import { appendFileSync, statfsSync } from 'node:fs';
import { JsonlAuditLog } from './audit/jsonl-audit-log.js';
import { verifyAudit } from './audit/verify-audit.js';
const folder = process.argv[2] + '/audit';
const log = new JsonlAuditLog(folder, { reserveBytes: 4 * 1024 * 1024 });
const entry = (n) => ({ kind: 'note', ts: '', session: null, run: null, call: null, data: { n, text: 'x'.repeat(1000) } });
await log.append(entry(0));
try { for (;;) appendFileSync(process.argv[2] + '/filler', Buffer.alloc(64 * 1024)); } catch (error) { console.log(error.code); }
try { for (;;) appendFileSync(process.argv[2] + '/filler', 'x'); } catch (error) { console.log(error.code); }
let written = 0;
let code = '';
while (code === '') await log.append(entry(written)).then(() => { written += 1; }, (error) => { code = error.code; });
const report = await verifyAudit(folder);
console.log(JSON.stringify({ written, code, report }));`;

  it('is written to from the reserve; then appends are refused, and the chain stays whole', async () => {
    if ((await new BubblewrapSandbox().unavailable()) !== null) return expect(process.platform).toBeDefined();
    const programs = join(folder, '..');
    const program = buildChildProgram(SOURCE, programs, 'full-disk');
    const small = ['--dev', '/dev', '--size', String(16 * 1024 * 1024), '--tmpfs', '/mnt'];
    const argv = ['bwrap', '--bind', '/', '/', ...small, process.execPath, program, '/mnt'];
    const { stdout, stderr } = await startChild(argv).end;
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, 2)).toEqual(['ENOSPC', 'ENOSPC']);
    const { written, code, report } = JSON.parse(lines[2]!) as {
      written: number;
      code: string;
      report: unknown;
    };
    expect(code).toBe('audit.unwritable');
    // 4 MiB hold some thousand records of a little more than 1 KB.
    expect(written).toBeGreaterThan(2_500);
    expect(report).toEqual({ ok: true, chains: 1, records: written + 1, problems: [] });
  }, 60_000);
});
