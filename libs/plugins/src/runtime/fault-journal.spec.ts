import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FaultJournal } from './fault-journal.js';

describe('faults that another process shall know of', () => {
  let root: string;
  let now: number;
  const source = () => ({ name: 'shaky', entry: path.join(root, 'shaky.mjs') });
  const folder = () => path.join(root, 'home', 'plugin-faults');
  const journal = () =>
    new FaultJournal({
      folder: folder(),
      clock: { now: () => now },
      scrub: (text) => text.replace('hunter2', '[secret]'),
    });
  const kept = async () => (await journal().read([source()])).get('shaky');
  const file = () => path.join(folder(), readdirSync(folder())[0] ?? '');

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'faults-'));
    now = Date.UTC(2026, 0, 1);
    writeFileSync(source().entry, 'export default {}');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('are there for the next one, added up, without secrets, for nobody else to read', async () => {
    for (let run = 0; run < 2; run += 1) {
      const here = journal();
      here.note(source(), 'plugin.hook_failed', 'no login with hunter2');
      here.note(source(), 'plugin.hook_failed', 'no login with hunter2');
      await here.flush();
    }
    expect(await kept()).toEqual([
      {
        code: 'plugin.hook_failed',
        message: 'no login with [secret]',
        times: 4,
        lastAt: '2026-01-01T00:00:00.000Z',
      },
    ]);
    expect([statSync(file()).mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(folder())).toHaveLength(1);
  });

  it('are written at once, so that a process that is killed leaves them too', async () => {
    journal().note(source(), 'plugin.hook_failed', 'first');
    for (let tries = 0; tries < 500 && (await kept()) === undefined; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await kept()).toMatchObject([{ message: 'first' }]);
  });

  it('are bounded, however many there are and however long', async () => {
    const here = journal();
    for (let count = 0; count < 100; count += 1)
      here.note(source(), 'plugin.hook_failed', `${String(count)} ${'x'.repeat(5_000)}`);
    await here.flush();
    expect(await kept()).toHaveLength(20);
    expect(statSync(file()).size).toBeLessThan(20_000);
  });

  it('are of a plugin as it was: once its file has changed, or a week has passed, they are gone', async () => {
    const here = journal();
    here.note(source(), 'plugin.teardown_failed', 'stuck');
    await here.flush();
    now += 8 * 24 * 3_600_000;
    expect(await kept()).toBeUndefined();
    now -= 2 * 24 * 3_600_000;
    expect(await kept()).toHaveLength(1);
    writeFileSync(source().entry, 'export default { repaired: true }');
    expect(await kept()).toBeUndefined();
  });

  it.each(['', 'null', '{"version":1,"digest":"x","faults":7}', '{"version":2}', '[1'])(
    'are begun anew where the file says %j',
    async (text) => {
      const here = journal();
      here.note(source(), 'plugin.hook_failed', 'a');
      await here.flush();
      writeFileSync(file(), text);
      expect(await kept()).toBeUndefined();
      here.note(source(), 'plugin.hook_failed', 'b');
      await here.flush();
      expect(await kept()).toMatchObject([{ message: 'b', times: 1 }]);
    },
  );

  it('cost nobody anything where the home cannot be written', async () => {
    mkdirSync(path.join(root, 'home'));
    writeFileSync(folder(), 'a file in the way');
    const here = journal();
    here.note(source(), 'plugin.hook_failed', 'a');
    await expect(here.flush()).resolves.toBeUndefined();
    expect(await kept()).toBeUndefined();
  });
});
