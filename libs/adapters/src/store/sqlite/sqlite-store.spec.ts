import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { openControlStore } from '../open-control-store.js';
import { controlStoreCases } from '../testing/control-store.conformance.js';

describe.each(Object.entries(controlStoreCases))('the store on SQLite: %s', (_subject, cases) => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(cases.map(({ name, run }) => [name, run] as const))('%s', async (_name, run) => {
    const file = join(folder, 'control.db');
    const store = await openControlStore({ file });
    const tamper = async (statement: string): Promise<void> => {
      const database = new Database(file);
      database.exec(statement);
      database.close();
    };
    try {
      await run({ store, peer: store, tamper });
    } finally {
      await store.close();
    }
  });
});
