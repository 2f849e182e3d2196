import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import {
  assertPurePresenters,
  collectStream,
  createTestContext,
  createTestHost,
  testOptions,
} from '@wrongstack/core/testing';
import { findTool } from '../cookbook/src/notifying.js';
import { linesTool } from '../guide/src/streaming.js';

const projectRoot = mkdtempSync(join(tmpdir(), 'node-test-'));

void test('runs a tool through the loop and checks its cards', async () => {
  const host = createTestHost({ projectRoot });
  host.kernel.tools.register(findTool);
  const result = await host.run([
    { calls: [{ name: 'find_note', input: { word: 'tea' } }] },
    { text: 'None.' },
  ]);
  host.dispose();
  assert.equal(result.text, 'None.');
  assert.equal(host.calls[0]?.text, 'nothing about tea');
  assertPurePresenters(findTool, [{ args: { word: 'tea' } }]);
});

void test('collects a stream', async () => {
  const ctx = createTestContext({ projectRoot });
  const { output } = await collectStream(linesTool.executeStream({ host: 'a.test' }, ctx, testOptions()));
  assert.deepEqual(output, { ok: true, lines: 2 });
});
