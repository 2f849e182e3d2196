import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** One plain JavaScript file made of TypeScript that imports from this folder, for specs that need other processes. */
export function buildProgram(source: string, folder: string): string {
  const outfile = join(folder, 'program.cjs');
  const esbuild = createRequire(__filename).resolve('esbuild/bin/esbuild');
  const options = [
    '--bundle',
    '--platform=node',
    '--format=cjs',
    '--loader=ts',
    '--conditions=@wrongstack/source',
  ];
  execFileSync(process.execPath, [esbuild, ...options, '--log-level=error', `--outfile=${outfile}`], {
    cwd: __dirname,
    input: source,
  });
  return outfile;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  /** Resolves with what it printed. */
  readonly ended: Promise<string>;
}

export function runProgram(program: string, args: readonly string[]): RunningProgram {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(printed));
  });
  return { child, ended };
}
