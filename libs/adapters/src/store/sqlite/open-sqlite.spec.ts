import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { openControlStore, openStoreReader } from '../open-control-store.js';

describe('a SQLite store that another process has', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-reader-'));
    file = join(folder, 'control.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is read beside it, as it is at each moment, and never written', async () => {
    const owner = await openControlStore({ file });
    const reader = await openStoreReader({ file });
    try {
      expect(await reader.bundleRevision.current()).toMatchObject({ revision: 0 });
      await owner.bundleRevision.raise();
      expect(await reader.bundleRevision.current()).toMatchObject({ revision: 1 });
      await expect(reader.bundleRevision.raise()).rejects.toMatchObject({ code: 'store.unavailable' });
      expect(await owner.bundleRevision.current()).toMatchObject({ revision: 1 });
    } finally {
      await reader.close();
      await owner.close();
    }
  });

  it('is refused where there is none, and where it has another form', async () => {
    await expect(openStoreReader({ file })).rejects.toMatchObject({ code: 'store.missing' });
    await (await openControlStore({ file })).close();
    const change = (statement: string): void => {
      const database = new Database(file);
      database.exec(statement);
      database.close();
    };
    change('update schema_migrations set number = number + 100');
    await expect(openStoreReader({ file })).rejects.toMatchObject({ code: 'store.too_new' });
    change('delete from schema_migrations');
    await expect(openStoreReader({ file })).rejects.toMatchObject({ code: 'store.too_old' });
  });
});
