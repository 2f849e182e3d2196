import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require_ = createRequire(__filename);

/**
 * Makes a program out of a few lines of TypeScript that import from this library's sources, for specs that need other
 * processes. Returns the path of one plain JavaScript file.
 */
export function buildChildProgram(source: string, folder: string, name: string): string {
  const outfile = join(folder, `${name}.cjs`);
  const esbuild = require_.resolve('esbuild/bin/esbuild');
  const options = [
    '--bundle',
    '--platform=node',
    '--format=cjs',
    '--loader=ts',
    '--conditions=@wrongstack/source',
  ];
  const input = `async function main() { ${source.replace(/^import .*$/gm, '')} }\nvoid main();`;
  const imports = (source.match(/^import .*$/gm) ?? []).join('\n');
  execFileSync(process.execPath, [esbuild, ...options, '--log-level=error', `--outfile=${outfile}`], {
    cwd: join(__dirname, '..'),
    input: `${imports}\n${input}`,
  });
  return outfile;
}

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startChild(argv: readonly string[]): {
  readonly child: ChildProcess;
  readonly end: Promise<ChildEnd>;
} {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const end = new Promise<ChildEnd>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, end };
}

/** Resolves with everything written so far once it contains `text`. */
export function untilPrinted(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve(seen);
    });
    child.on('close', () => reject(new Error(`ended before it printed ${text}`)));
  });
}
