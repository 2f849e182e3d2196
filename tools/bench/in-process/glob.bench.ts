import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createGlobTool } from '@wrongstack/tools';
import { assertMeta } from './assert-meta.bench-support.js';
import { createTestContext, testOptions } from '../../../libs/core/src/testing.js';
import { makeTree } from './tree.bench-support.js';

export const name = 'glob over 50,000 files';
export const clock = 'wall';
export const limitRatio = 1.1;

const root = makeTree('needle');
const ctx = createTestContext({ projectRoot: root });
const tool = createGlobTool();

export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    const { meta } = await tool.execute({ pattern: '**/file-7.ts', limit: 1000 }, ctx, testOptions());
    assertMeta(meta, 'count', 500);
  }
}

export const baseline = {
  name: 'a synchronous walk',
  run(iterations: number): void {
    for (let times = 0; times < iterations; times++) walk(root, []);
  },
};

function walk(folder: string, found: string[]): string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(place, found);
    else if (entry.name === 'file-7.ts') found.push(place);
  }
  return found;
}
