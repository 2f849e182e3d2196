import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildChildProgram } from '../../files/child-program.spec-support.js';

/** A program of its own that opens a store, out of a few lines that import from `libs/adapters/src`. */
export function buildStoreProgram(source: string, folder: string): string {
  return buildChildProgram(source, folder, 'store-program');
}

export interface StoreProgram {
  readonly child: ChildProcess;
  /** Whole lines so far. */
  readonly lines: () => readonly string[];
  /** Resolves once a line is this one. */
  readonly printed: (line: string) => Promise<void>;
  readonly end: Promise<unknown>;
}

export function startStoreProgram(program: string, args: readonly string[]): StoreProgram {
  // The drivers load parts of themselves by name at run time, which a program in a temporary folder must be told where to find.
  const env = { ...process.env, NODE_PATH: join(__dirname, '../../../../../node_modules') };
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const lines = (): readonly string[] => text.split('\n').slice(0, -1);
  const end = once(child, 'close');
  const printed = async (line: string): Promise<void> => {
    while (!lines().includes(line)) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`ended before it printed ${line}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { child, lines, printed, end };
}
