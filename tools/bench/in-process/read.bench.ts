import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTool } from '@wrongstack/tools';
import { assertMeta } from './assert-meta.bench-support.js';
import { createTestContext, testOptions } from '../../../libs/core/src/testing.js';
import { ReadRecords } from '../../../libs/kernel/src/loop/read-records.js';

export const name = 'read: the first 2,000 lines of 10 MB';
export const limitRatio = 1.5;

// As long as 2,000 of them fit into one answer of the tool: then both sides read and return the same bytes.
const LINE = `${'x'.repeat(49)}\n`;
const LINES = 2_000;
const RETURNED = LINES * LINE.length;
const root = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-read-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
const file = path.join(root, 'big.txt');
writeFileSync(file, LINE.repeat(200_000));
const records = new ReadRecords();
// Reads are recorded as the host does it, which is part of what a read costs; the test context has a double for it.
const ctx = Object.assign(createTestContext({ projectRoot: root }), {
  recordRead: (real: string, mtimeMs: number) => records.record(real, mtimeMs),
});

export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    const { meta } = await readTool.execute({ path: 'big.txt' }, ctx, testOptions());
    assertMeta(meta, 'lines', LINES);
  }
}

/** What anybody must do for those lines: open, read their bytes, make them text and lines. */
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
