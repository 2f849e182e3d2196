import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PROGRAM = path.resolve(__dirname, '../../../cli/bin/wstack.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody's machine: a home and a project, on which the built `wstack` runs. */
export class Machine {
  private constructor(
    readonly root: string,
    readonly home: string,
    readonly project: string,
  ) {}

  static async create(): Promise<Machine> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-fleet-')));
    const machine = new Machine(root, path.join(root, 'home'), path.join(root, 'project'));
    await mkdir(path.join(machine.home, '.wrongstack'), { recursive: true });
    await mkdir(path.join(machine.project, '.git'), { recursive: true });
    return machine;
  }

  start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.project,
      env: { PATH: process.env['PATH'], HOME: this.home, LANG: 'C.UTF-8', TZ: 'UTC' },
      stdio: 'pipe',
    });
  }

  async run(args: readonly string[], input = ''): Promise<Ended> {
    const child = this.start(args);
    child.stdin?.end(input);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stdout, stderr };
  }

  bash(command: string): Promise<Ended> {
    return this.run(['tool', 'call', 'bash', JSON.stringify({ command }), '--json']);
  }

  /** A model that says what stands in `turns`. */
  async model(turns: readonly unknown[]): Promise<void> {
    const script = path.join(this.home, 'script.json');
    await writeFile(script, JSON.stringify({ turns }));
    await writeFile(
      path.join(this.home, '.wrongstack/config.json'),
      JSON.stringify({ provider: { type: 'scripted', model: 'm', script } }),
    );
  }

  /** Every whole record of the machine's own log: chain and number. */
  async logged(): Promise<readonly string[]> {
    const folder = path.join(this.home, '.wrongstack/audit');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    return texts.flatMap((text) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const { chain, seq } = JSON.parse(line) as { readonly chain: string; readonly seq: number };
          return `${chain} ${seq}`;
        }),
    );
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}
