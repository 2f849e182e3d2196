import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PROGRAM = path.resolve(__dirname, '../../../cli/bin/wstack.cjs');

/** Somebody at a terminal, with the built `wstack` and a model that says what stands in a script. */
export class Terminal {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-terminal-')));
  readonly project = path.join(this.root, 'project');
  readonly #home = path.join(this.root, 'home');
  readonly #started: ChildProcess[] = [];
  #screen = '';

  constructor(turns: readonly unknown[]) {
    mkdirSync(path.join(this.#home, '.wrongstack'), { recursive: true });
    mkdirSync(path.join(this.project, '.git'), { recursive: true });
    const script = path.join(this.#home, 'script.json');
    writeFileSync(script, JSON.stringify({ turns }));
    writeFileSync(
      path.join(this.#home, '.wrongstack/config.json'),
      JSON.stringify({ provider: { type: 'scripted', model: 'm', script } }),
    );
  }

  get screen(): string {
    return this.#screen;
  }

  /** Runs it to its end, without a terminal. */
  async run(args: readonly string[], input = ''): Promise<void> {
    const child = this.#spawn(process.execPath, [PROGRAM, ...args]);
    child.stdin?.end(input);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`wstack ${args.join(' ')} ended with ${code}: ${this.#screen}`);
  }

  /** Opens an interactive session. `script` gives it a terminal. */
  open(): ChildProcess {
    return this.#spawn('script', ['-qefc', `${process.execPath} ${PROGRAM}`, '/dev/null']);
  }

  async shows(words: RegExp, ms = 60_000): Promise<void> {
    const until = Date.now() + ms;
    while (!words.test(this.#screen)) {
      if (Date.now() > until) throw new Error(`the terminal never showed ${String(words)}:\n${this.#screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  close(): void {
    for (const child of this.#started) child.kill('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, {
      cwd: this.project,
      env: {
        PATH: process.env['PATH'],
        HOME: this.#home,
        ...{ LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'xterm', COLUMNS: '100', LINES: '40' },
      },
      stdio: 'pipe',
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (this.#screen += piece));
    this.#started.push(child);
    return child;
  }
}
