import { spawnSync } from 'node:child_process';
import path from 'node:path';

export const fixtures = path.resolve(__dirname, '..');
export const root = path.resolve(fixtures, '../..');

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run a Node program of the workspace to its end, without what jest leaves in the environment. */
export function node(args: readonly string[], cwd = fixtures): Ended {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

export const bin = (file: string): string => path.join(root, 'node_modules', file);
