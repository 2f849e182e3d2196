import { spawn } from 'node:child_process';
import { createGrepTool, ripgrepPath } from '@wrongstack/tools';
import { createTestContext, testOptions } from '../../../libs/core/src/testing.js';
import { makeTree } from './tree.bench-support.js';

export const name = 'grep over 50,000 files';
/** A child does the searching, so its own CPU says nothing. */
export const clock = 'wall';
export const limitRatio = 1.3;

const root = makeTree('needle');
const ctx = createTestContext({ projectRoot: root });
const tool = createGrepTool({});

export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    await tool.execute({ pattern: 'needle' }, ctx, testOptions());
  }
}

export const baseline = {
  name: 'ripgrep itself, output read',
  async run(iterations: number): Promise<void> {
    const rg = await ripgrepPath();
    if (rg === null) throw new Error('bench: ripgrep cannot run here.');
    const args = ['--no-config', '--line-number', '--hidden', '--no-require-git', '-e', 'needle', '--', '.'];
    for (let times = 0; times < iterations; times++) await output([rg, ...args]);
  },
};

function output([program = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.on('error', reject).on('close', () => resolve(text));
  });
}
