import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertPurePresenters, createTestHost } from '@wrongstack/core/testing';
import { findTool } from '../cookbook/src/notifying.js';

it('runs a tool through the loop and checks its cards', async () => {
  const host = createTestHost({ projectRoot: mkdtempSync(join(tmpdir(), 'vitest-')) });
  host.kernel.tools.register(findTool);
  await host.run([{ calls: [{ name: 'find_note', input: { word: 'tea' } }] }, { text: 'None.' }]);
  host.dispose();
  expect(host.calls).toMatchObject([{ name: 'find_note', status: 'ok', text: 'nothing about tea' }]);
  expect(() => assertPurePresenters(findTool, [{ args: { word: 'tea' } }])).not.toThrow();
});
