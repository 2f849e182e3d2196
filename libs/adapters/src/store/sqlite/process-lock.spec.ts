import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openControlStore } from '../open-control-store.js';
import { buildStoreProgram, startStoreProgram } from '../testing/store-program.spec-support.js';

const HOLD = `
import { openControlStore } from './store/index.js';
await openControlStore({ file: process.argv[2] });
process.stdout.write('open\\n');
setInterval(() => undefined, 1000);
`;

describe('one process a SQLite file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'store-lock-'));
    file = join(folder, 'control.db');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses the second with the file and the process that has it, and lets it in once that is closed', async () => {
    const store = await openControlStore({ file });
    await expect(openControlStore({ file })).rejects.toMatchObject({
      code: 'store.in_use',
      message: expect.stringContaining(`${file} is in use by process ${process.pid}`),
    });
    await store.ping();
    await store.close();
    await (await openControlStore({ file })).close();
  });

  it('is free again at once when its process was killed', async () => {
    const { child, printed, end } = startStoreProgram(buildStoreProgram(HOLD, folder), [file]);
    await printed('open');
    await expect(openControlStore({ file })).rejects.toMatchObject({
      code: 'store.in_use',
      message: expect.stringContaining(`process ${child.pid}`),
    });
    child.kill('SIGKILL');
    await end;
    await (await openControlStore({ file })).close();
  }, 60_000);
});
