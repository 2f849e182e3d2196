import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

const DIST = path.resolve(__dirname, '../dist');

/** The built programs of this app, each a process of its own. */
export class Programs {
  readonly #started: ChildProcess[] = [];

  constructor(readonly env: Readonly<Record<string, string>>) {}

  start(program: 'bundle.cjs' | 'worker.cjs', more: Readonly<Record<string, string>> = {}): ChildProcess {
    const child = spawn(process.execPath, [path.join(DIST, program)], {
      env: { ...this.env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#started.push(child);
    return child;
  }

  /** The first start, which prints a token. */
  async firstApi(more: Readonly<Record<string, string>> = {}): Promise<Api> {
    const child = this.start('bundle.cjs', more);
    const [url, token] = await said(child, /listening on (http:\S+)[^]*admin token.*(wst_\S+)/);
    return new Api(child, url, token);
  }

  /** A later one. `token`: of whoever asks it. */
  async api(token: string, more: Readonly<Record<string, string>> = {}): Promise<Api> {
    const child = this.start('bundle.cjs', more);
    const [url] = await said(child, /listening on (http:\S+)[^]*store: /);
    return new Api(child, url, token);
  }

  async worker(more: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    const child = this.start('worker.cjs', more);
    await said(child, /takes tasks/);
    return child;
  }

  kill(): void {
    for (const child of this.#started.splice(0)) child.kill('SIGKILL');
  }
}

/** One API over HTTP. */
export class Api {
  constructor(
    readonly child: ChildProcess,
    readonly url: string,
    readonly token: string,
  ) {}

  async request(
    method: string,
    route: string,
    body?: unknown,
    token = this.token,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(this.url + route, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { http: response.status, ...((await response.json()) as object) };
  }
}

/** What the pattern finds in all that a process has printed until then. */
export async function said(child: ChildProcess, pattern: RegExp): Promise<[string, string]> {
  if (child.stdout === null) throw new Error('no output');
  let [text, errors] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`;
    const found = pattern.exec(text);
    if (found === null) continue;
    child.stdout.resume();
    return [found[1] ?? '', found[2] ?? ''];
  }
  throw new Error(`it ended before it said ${String(pattern)}: ${text}${errors}`);
}
