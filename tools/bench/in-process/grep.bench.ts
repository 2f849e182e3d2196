import { spawn } from 'node:child_process';
import { createGrepTool, ripgrepPath } from '@wrongstack/tools';
import { assertMeta } from './assert-meta.bench-support.js';
import { createTestContext, testOptions } from '../../../libs/core/src/testing.js';
import { makeTree } from './tree.bench-support.js';

export const name = 'grep over 50,000 files';
/** A child does the searching, so its own CPU says nothing. */
export const clock = 'wall';
export const limitRatio = 1.3;

const root = makeTree('needle');
const ctx = createTestContext({ projectRoot: root });
const tool = createGrepTool({});
/** Files of the tree that hold the word, one line each: as many as the tool shows. */
const HITS = 200;

export async function run(iterations: number): Promise<void> {
  for (let times = 0; times < iterations; times++) {
    const { meta } = await tool.execute({ pattern: 'needle' }, ctx, testOptions());
    assertMeta(meta, 'matches', HITS);
  }
}

/** What the tool leaves out is left out here: hidden files are searched, repositories' insides and huge files are not. */
const SAME_FILES = [
  ...['--no-config', '--hidden', '--no-ignore-global', '--no-ignore-exclude', '--no-require-git'],
  ...['--max-filesize', '50M'],
  ...['.git', '.hg', '.svn', 'node_modules'].flatMap((name) => ['--glob', `!${name}`]),
];

/** In any order and as text: nothing that ripgrep could do without. */
export const baseline = {
  name: 'ripgrep itself, output read',
  async run(iterations: number): Promise<void> {
    const rg = await ripgrepPath();
    if (rg === null) throw new Error('bench: ripgrep cannot run here.');
    for (let times = 0; times < iterations; times++) {
      const found = await output([rg, ...SAME_FILES, '--line-number', '-e', 'needle', '--', '.']);
      if (found.split('\n').length !== HITS + 1)
        throw new Error('bench: ripgrep did not find the same lines.');
    }
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
