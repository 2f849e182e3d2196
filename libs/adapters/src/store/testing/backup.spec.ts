import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlStore } from '@wrongstack/contracts/control';
import { openControlStore } from '../open-control-store.js';
import { backupSqlite } from '../sqlite/backup-sqlite.js';
import { problemsOf } from './audit-store.conformance.js';
import { PostgresServer, postgresMissing, postgresPrograms } from './postgres-server.js';
import { AT, SampleSource, minute, sampleHeartbeat } from './sample-records.js';

const missing = postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1');
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const itHere = missing === null ? it : it.skip;

const heldAt = (revision: number, at: string) =>
  sampleHeartbeat('agent-1', { at, bundle: { scope: 'org', epoch: 1, revision } });

/** Published up to 7 when the backup is taken, up to 9 when the machine is lost. */
async function fill(store: ControlStore): Promise<SampleSource> {
  const source = new SampleSource();
  await store.audit.append(
    source.batch(200, {}, (seq) => `note ${seq} \0 \ud800`),
    AT,
  );
  await store.bundleRevision.setEpoch(1);
  await store.bundleRevision.raise(7);
  await store.fleet.record([heldAt(7, AT)]);
  return source;
}

async function isWhole(restored: ControlStore): Promise<void> {
  expect((await restored.audit.head()).seq).toBe(200);
  expect(await problemsOf(restored)).toEqual([]);
  expect(await restored.bundleRevision.current()).toEqual({ epoch: 1, revision: 7 });
  // The fleet has seen more than the backup knows; what is published next lies above that.
  await restored.fleet.record([heldAt(9, minute(1))]);
  const { before, after } = await restored.bundleRevision.recover(null);
  expect([before.revision, after.revision]).toEqual([7, 10]);
}

jest.setTimeout(60_000);

describe('a backup', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('of SQLite is taken while the store is written to, and is whole when it comes back', async () => {
    const [file, copy, restoredFile] = ['control.db', 'copy.db', 'restored.db'].map((name) =>
      join(folder, name),
    );
    const store = await openControlStore({ file: file! });
    const source = await fill(store);
    backupSqlite(file!, copy!);
    const appending = store.audit.append(source.batch(100), AT);
    backupSqlite(file!, join(folder, 'second.db'));
    await appending;
    await store.bundleRevision.raise(9);
    await store.close();
    expect(statSync(copy!).mode & 0o777).toBe(0o600);
    copyFileSync(copy!, restoredFile!);
    const restored = await openControlStore({ file: restoredFile! });
    await isWhole(restored);
    await restored.close();
  });

  it('of SQLite never overwrites, and leaves nothing where it fails', async () => {
    const file = join(folder, 'control.db');
    await (await openControlStore({ file })).close();
    const target = join(folder, 'there');
    writeFileSync(target, 'an older backup');
    expect(() => backupSqlite(file, target)).toThrow(
      expect.objectContaining({ code: 'store.backup_failed' }),
    );
    writeFileSync(join(folder, 'no.db'), 'this is no database at all, whatever its name says');
    const failed = join(folder, 'failed');
    for (const bad of ['no.db', 'missing.db']) {
      expect(() => backupSqlite(join(folder, bad), failed)).toThrow(
        expect.objectContaining({ code: 'store.backup_failed' }),
      );
    }
    expect(existsSync(failed)).toBe(false);
  });

  itHere(
    'of PostgreSQL by pg_dump comes back whole by pg_restore',
    async () => {
      const server = await PostgresServer.start();
      try {
        const program = (name: string): string => join(postgresPrograms()!, name);
        const databaseUrl = await server.database();
        const store = await openControlStore({ databaseUrl });
        await fill(store);
        const dump = join(folder, 'control.dump');
        execFileSync(program('pg_dump'), ['--format=custom', `--file=${dump}`, databaseUrl]);
        await store.bundleRevision.raise(9);
        await store.close();
        const into = await server.database();
        execFileSync(program('pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${into}`, dump]);
        const restored = await openControlStore({ databaseUrl: into });
        await isWhole(restored);
        await restored.close();
      } finally {
        await server.remove();
      }
    },
    120_000,
  );
});
