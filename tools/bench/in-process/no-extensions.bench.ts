import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasExtensions } from '../../../apps/cli/src/extensions/has-extensions.js';
import { DEFAULT_CONFIG } from '../../../libs/kernel/src/config/defaults.js';

export const name = 'start without plugins and servers';

const root = mkdtempSync(path.join(tmpdir(), 'wrongstack-bench-none-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
const home = path.join(root, 'home');
const project = path.join(root, 'project');
// Two paths are all that it reads of a request.
const request = { paths: { agentHome: home }, projectRoot: project } as Parameters<typeof hasExtensions>[0];

/** All that plugins and MCP add to a start where there are none. */
export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    const { plugins, mcp } = await hasExtensions(request, DEFAULT_CONFIG);
    if (plugins || mcp) throw new Error('bench: there should be none.');
  }
}

export const baseline = {
  name: 'two looks at the disk',
  async run(iterations: number): Promise<void> {
    const look = (folder: string): Promise<unknown> => readdir(folder).catch(() => null);
    for (let times = 0; times < iterations; times++) {
      await Promise.all([
        look(path.join(home, 'plugins')),
        look(path.join(project, '.wrongstack', 'plugins')),
      ]);
    }
  },
};

export const limitRatio = 1.5;
