import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const examples = path.resolve(__dirname, '..');
export const root = path.resolve(examples, '../..');
const program = path.join(root, 'apps/cli/bin/wstack.cjs');
const SESSION_MS = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Compile every plugin of this folder as its author would, with their imports as they stand. Returns where. */
export function compilePlugins(): string {
  const out = mkdtempSync(path.join(tmpdir(), 'plugins-out-'));
  const tsc = path.join(root, 'node_modules/typescript7/bin/tsc');
  const built = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.plugins.json', '--outDir', out], {
    cwd: examples,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the plugins do not compile:\n${built.stdout}`);
  return out;
}

/** The built program with a home and a project of its own. */
export class Wstack {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-plugins-')));
  readonly home = path.join(this.root, 'home');
  readonly project = path.join(this.root, 'project');
  readonly bin = path.join(this.root, 'bin');

  constructor() {
    for (const folder of [this.home, this.bin, path.join(this.project, '.git')])
      mkdirSync(folder, { recursive: true });
  }

  /** Install a compiled plugin as a person would: its folder, under its name. */
  install(name: string, compiled: string, source: string): void {
    const place = path.join(this.home, '.wrongstack/plugins', name);
    cpSync(compiled, place, { recursive: true });
    cpSync(path.join(source, 'package.json'), path.join(place, 'package.json'));
  }

  write(file: string, text: string): string {
    const place = file.startsWith('~/') ? path.join(this.home, file.slice(2)) : path.join(this.project, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    return place;
  }

  configure(config: unknown): void {
    this.write('~/.wrongstack/config.json', JSON.stringify(config));
  }

  /** A program that is found before any other of its name. */
  command(name: string, script: string): void {
    writeFileSync(path.join(this.bin, name), script);
    chmodSync(path.join(this.bin, name), 0o755);
  }

  run(args: readonly string[]): Promise<Ended> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.project,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  }

  /**
   * A session in a terminal (of util-linux' `script`), in which each text is typed once the one before it is on the screen.
   * Resolves with all that was shown, when the session is over.
   */
  session(steps: readonly (readonly [shown: string, typed: string])[]): Promise<string> {
    const child = spawn('script', ['-qefc', `${process.execPath} ${program}`, '/dev/null'], {
      cwd: this.project,
      env: { ...this.#environment(), TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const waiting = [...steps];
    let shown = '';
    let since = 0;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk;
      for (let next = waiting[0]; next !== undefined && shown.includes(next[0], since); next = waiting[0]) {
        waiting.shift();
        since = shown.length;
        child.stdin.write(`${next[1]}\r`);
      }
    });
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`nothing showed ${waiting[0]?.[0] ?? 'the end'}:\n${shown}`));
      }, SESSION_MS);
      child.once('close', () => {
        clearTimeout(late);
        resolve(shown);
      });
    });
  }

  #environment(): NodeJS.ProcessEnv {
    return { PATH: `${this.bin}:${process.env['PATH'] ?? ''}`, HOME: this.home, LANG: 'C.UTF-8' };
  }

  async json(args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (stdout === '') throw new Error(`${args.join(' ')} ended with ${String(code)}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The text of all session logs. */
  sessions(): string {
    const folder = path.join(this.home, '.wrongstack/sessions');
    if (!existsSync(folder)) return '';
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('\n');
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

export type Turn = { readonly text: string } | { readonly tool: string; readonly input: unknown };

/** A model behind HTTP that says its turns one after the other and keeps what it was asked. */
export class LoopbackModel {
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  #server: Server | undefined;

  constructor(private readonly turns: readonly Turn[]) {}

  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const turn = this.turns[Math.min(this.requests.length, this.turns.length - 1)] ?? { text: '' };
        this.requests.push({ headers: request.headers, body });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const delta =
          'text' in turn
            ? { content: turn.text }
            : {
                tool_calls: [
                  {
                    index: 0,
                    id: `call_${String(this.requests.length)}`,
                    type: 'function',
                    function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
                  },
                ],
              };
        const chunk = (choice: unknown): string =>
          `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [choice] })}\n\n`;
        response.write(chunk({ index: 0, delta, finish_reason: null }));
        response.write(chunk({ index: 0, delta: {}, finish_reason: 'text' in turn ? 'stop' : 'tool_calls' }));
        response.end('data: [DONE]\n\n');
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}
