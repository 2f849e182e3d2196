import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Null when specs with a real Redis run: it is there, or `WRONGSTACK_REQUIRE_REDIS=1` says that they fail without it. */
export function redisMissing(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    if (env['WRONGSTACK_REQUIRE_REDIS'] === '1' || env['CI'] === 'true') return null;
    const reason =
      'LEFT OUT: redis-server is not installed (Debian: apt-get install redis-server), so nothing here was tested';
    // Jest says nothing of a suite that is skipped whole.
    process.stderr.write(`${reason}\n`);
    return reason;
  }
}

/** A Redis of its own on a free port, with its data on disk. */
export class RedisServer {
  #child: ChildProcess | null = null;
  readonly #folder = mkdtempSync(join(tmpdir(), 'redis-'));

  private constructor(
    readonly port: number,
    private readonly extra: readonly string[],
  ) {}

  static async start(...extra: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), extra);
    await server.up();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    const args = ['--port', String(this.port), '--dir', this.#folder, '--appendonly', 'yes', '--save', ''];
    this.#child = spawn('redis-server', [...args, ...this.extra], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve, reject) => {
      this.#child?.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Ready to accept connections')) resolve();
      });
      this.#child?.once('exit', () => reject(new Error('redis-server ended')));
      this.#child?.once('error', reject);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async down(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async remove(): Promise<void> {
    await this.down();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
