import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTool } from '@wrongstack/tools';
import { createTestContext, testOptions } from '../../../libs/core/src/testing.js';

export const name = 'read: the first 2,000 lines of 10 MB';
export const limitRatio = 1.5;

const LINE = `${'x'.repeat(99)}\n`;
const RETURNED = 2_000 * LINE.length;
const root = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-read-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
const file = path.join(root, 'big.txt');
writeFileSync(file, LINE.repeat(100_000));
const ctx = createTestContext({ projectRoot: root });

export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    await readTool.execute({ path: 'big.txt' }, ctx, testOptions());
  }
}

/** What anybody must do for those lines: open, read their bytes, make them text. */
export const baseline = {
  name: 'a plain read of the bytes returned',
  run(iterations: number): void {
    for (let times = 0; times < iterations; times++) {
      const handle = openSync(file, 'r');
      const bytes = Buffer.alloc(RETURNED);
      readSync(handle, bytes, 0, RETURNED, 0);
      closeSync(handle);
      bytes.toString('utf8').split('\n');
    }
  },
};
