import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync, statSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestKernel } from '../testing/test-kernel.js';
import type { RunContext } from './run-context.js';

describe('RunContext', () => {
  let test: TestKernel;
  let context: RunContext;
  let file: string;
  beforeEach(() => {
    test = new TestKernel();
    context = test.context();
    file = join(test.folder, 'a.txt');
    writeFileSync(file, 'one');
  });
  afterEach(() => test.dispose());
  const kind = async (path = file) => (await context.readState(path)).kind;

  it('knows which files were read, and when', async () => {
    expect([context.hasRead(file), context.lastReadMtime(file), await kind()]).toEqual([
      false,
      undefined,
      'unread',
    ]);
    const { mtimeMs } = statSync(file);
    context.recordRead(file, mtimeMs);
    expect([context.hasRead(file), context.lastReadMtime(file), await kind()]).toEqual([
      true,
      mtimeMs,
      'fresh',
    ]);
    expect(await kind(join(test.folder, 'none'))).toBe('missing');
  });

  it('sees a change of the same size within the same millisecond, and one of the same time', async () => {
    context.recordRead(file, statSync(file).mtimeMs);
    const { mtimeNs } = statSync(file, { bigint: true });
    writeFileSync(file, 'two');
    const seconds = Number(mtimeNs) / 1e9;
    utimesSync(file, seconds, seconds);
    truncateSync(file, 2);
    utimesSync(file, seconds, seconds);
    expect(await kind()).toBe('stale');
  });

  it('takes what changed between the caller’s look and its record as stale', async () => {
    const { mtimeMs } = statSync(file);
    writeFileSync(file, 'newer');
    utimesSync(file, mtimeMs / 1000 + 5, mtimeMs / 1000 + 5);
    context.recordRead(file, mtimeMs);
    expect(await kind()).toBe('stale');
    context.recordRead(file, Math.trunc(statSync(file).mtimeMs));
    expect(await kind()).toBe('fresh');
  });

  it('knows a file by any of its spellings', async () => {
    mkdirSync(join(test.folder, 'real'));
    symlinkSync(join(test.folder, 'real'), join(test.folder, 'link'));
    const real = join(test.folder, 'real', 'b.txt');
    writeFileSync(real, 'b');
    context.recordRead(join(test.folder, 'link', 'b.txt'), statSync(real).mtimeMs);
    expect(await kind(real)).toBe('fresh');
    expect(context.hasRead(join(test.folder, 'real', '..', 'real', 'b.txt'))).toBe(true);
  });

  it('takes a file as read that was just written, and forgets one that is gone', async () => {
    await context.recordWrite(file);
    expect(await kind()).toBe('fresh');
    rmSync(file);
    await context.recordWrite(file);
    expect(context.hasRead(file)).toBe(false);
  });

  it('gives one file to one holder at a time, in order, also after a failure and through a link', async () => {
    const order: string[] = [];
    symlinkSync(file, join(test.folder, 'alias'));
    const work = (path: string, name: string) =>
      context.withPathLock(path, async () => {
        order.push(`${name} in`);
        await new Promise(setImmediate);
        order.push(`${name} out`);
        if (name === 'a') throw new Error('a failed');
      });
    await Promise.allSettled([work(file, 'a'), work(join(test.folder, 'alias'), 'b'), work(file, 'c')]);
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  it('does not wait for itself', async () => {
    expect(await context.withPathLock(file, () => context.withPathLock(file, async () => 'inner'))).toBe(
      'inner',
    );
  });

  it('lets tools write their own session entries and none of the kernel’s', async () => {
    test.scrubber.learn('hunter2');
    await context.session.append({ type: 'my-plugin:hit', ts: '2026-01-01T00:00:00Z', key: 'hunter2' });
    expect(test.session.all).toEqual([{ type: 'my-plugin:hit', ts: '2026-01-01T00:00:00Z', key: '***' }]);
    await expect(context.session.append({ type: 'tool_result', ts: 'x' })).rejects.toMatchObject({
      code: 'session.reserved',
    });
    await expect(context.session.append({ type: 'p:x' } as never)).rejects.toMatchObject({
      code: 'session.invalid',
    });
  });
});
