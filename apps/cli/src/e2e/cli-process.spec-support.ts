import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const BIN = path.resolve(__dirname, '../../bin/wstack.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A scratch home and project for one test of the built binary. */
export class Sandbox {
  private constructor(
    readonly root: string,
    readonly home: string,
    readonly project: string,
  ) {}

  static async create(files: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-e2e-')));
    const sandbox = new Sandbox(root, path.join(root, 'home'), path.join(root, 'project'));
    await mkdir(path.join(sandbox.project, '.git'), { recursive: true });
    await mkdir(sandbox.home, { recursive: true });
    for (const [name, text] of Object.entries(files)) await sandbox.write(name, text);
    return sandbox;
  }

  /** `name` is relative to the project; `~/` stands for the home. */
  async write(name: string, text: string): Promise<string> {
    const file = name.startsWith('~/') ? path.join(this.home, name.slice(2)) : path.join(this.project, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  configure(config: unknown): Promise<string> {
    return this.write('~/.wrongstack/config.json', JSON.stringify(config));
  }

  /** Start the binary with an environment of nothing but what it needs. */
  start(
    args: readonly string[],
    options: {
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /** A file descriptor instead of a pipe. */
      readonly stdout?: number;
    } = {},
  ): ChildProcess {
    return spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? this.project,
      env: { PATH: process.env['PATH'], HOME: this.home, LANG: 'C.UTF-8', TZ: 'UTC', ...options.env },
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
    });
  }

  async run(
    args: readonly string[],
    options: {
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly input?: string;
    } = {},
  ): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin?.end(options.input ?? '');
    return ended(child);
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** The JSON lines of a stream. */
export function jsonLines(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as Record<string, unknown>);
}
