import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PathFact } from '@wrongstack/contracts';
import { factsFor } from '../testing/fixed-policy.js';
import { use } from '../testing/playing-provider.js';
import { TestKernel } from '../testing/test-kernel.js';
import { undoLastChange } from './undo.js';

describe('undo', () => {
  let test: TestKernel;
  let file: string;
  let fresh: string;
  beforeEach(() => {
    test = new TestKernel();
    file = join(test.folder, 'a.txt');
    fresh = join(test.folder, 'new.txt');
    writeFileSync(file, 'before\n');
    test.policy.verdicts = (call) => ({
      verdict: 'allow',
      facts: factsFor(call, {
        paths: [file, fresh].map(
          (real) =>
            ({ real, access: 'write', device: false, inside: true, command: null }) as unknown as PathFact,
        ),
      }),
    });
    test.tool({
      name: 'edit',
      mutating: true,
      execute: async (given) => {
        for (const [path, text] of Object.entries(given as Record<string, string | null>)) {
          if (text === null) rmSync(join(test.folder, path));
          else writeFileSync(join(test.folder, path), text);
        }
        return 'edited';
      },
    });
  });
  afterEach(() => test.dispose());
  const undo = () =>
    undoLastChange(test.session, { scratchDir: join(test.folder, 'scratch'), clock: test.clock });

  it('puts back what the last call changed, whole, with its mode, and deletes what was new', async () => {
    chmodSync(file, 0o755);
    await test.call(use('edit', { 'a.txt': 'a much longer text than before\n', 'new.txt': 'n' }, 'c-1'));
    expect(await undo()).toEqual({ call: 'c-1', restored: [file], deleted: [fresh] });
    expect(readFileSync(file, 'utf8')).toBe('before\n');
    expect(statSync(file).mode & 0o777).toBe(0o755);
    expect(existsSync(fresh)).toBe(false);
    await expect(undo()).rejects.toMatchObject({ code: 'undo.nothing' });
  });

  it('steps back call by call, and brings a deleted file back', async () => {
    await test.call(use('edit', { 'a.txt': 'two\n' }, 'c-1'));
    await test.call(use('edit', { 'a.txt': null }, 'c-2'));
    await undo();
    expect(readFileSync(file, 'utf8')).toBe('two\n');
    await undo();
    expect(readFileSync(file, 'utf8')).toBe('before\n');
  });

  it('refuses, changing nothing, when a file is no longer as the call left it', async () => {
    await test.call(use('edit', { 'a.txt': 'two\n', 'new.txt': 'n' }, 'c-1'));
    writeFileSync(file, 'by hand\n');
    await expect(undo()).rejects.toMatchObject({
      code: 'undo.changed',
      message: expect.stringContaining(file),
    });
    expect(existsSync(fresh)).toBe(true);
  });

  it('keeps contents private and out of the log, and notes only what changed', async () => {
    await test.call(use('edit', { 'new.txt': 'n' }, 'c-1'));
    const snapshots = test.session.ofType('file_snapshot');
    expect(snapshots).toMatchObject([
      { path: fresh, before: null, after: expect.stringMatching(/^sha256:/) },
    ]);
    expect(test.session.lines.join()).not.toContain('before\\n');
  });

  it('says so when the earlier content is gone', async () => {
    await test.call(use('edit', { 'a.txt': 'two\n' }, 'c-1'));
    rmSync(join(test.folder, 'scratch', 'undo'), { recursive: true });
    await expect(undo()).rejects.toMatchObject({ code: 'undo.lost' });
  });
});
