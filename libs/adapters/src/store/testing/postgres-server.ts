import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const DEBIAN = '/usr/lib/postgresql';

/** Folder of PostgreSQL's programs: Debian's newest, or whatever `pg_config` names; null where there is none. */
export function postgresPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const debian = versions.map((version) => join(DEBIAN, version, 'bin')).find(holdsServer);
  if (debian !== undefined) return debian;
  try {
    const named = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
    return holdsServer(named) ? named : null;
  } catch {
    return null;
  }
}

function holdsServer(folder: string): boolean {
  return existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'));
}

/**
 * Why specs with a real PostgreSQL cannot run here, or null where they can. `required` (CI says that it must be there): they fail
 * instead of being left out.
 */
export function postgresMissing(required: boolean): string | null {
  if (required || postgresPrograms() !== null) return null;
  return 'LEFT OUT: PostgreSQL is not installed (Debian: apt-get install postgresql), so nothing here was tested';
}

/** A cluster of its own in a temporary folder on a free port. PostgreSQL refuses to run as root, so there it runs as `postgres`. */
export class PostgresServer {
  #child: ChildProcess | null = null;
  #databases = 0;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly programs: string,
  ) {}

  static async start(): Promise<PostgresServer> {
    const programs = postgresPrograms();
    if (programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const { uid, gid } = owner();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const options = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'];
    execFileSync(join(programs, 'initdb'), [...options, '--locale=C', '--no-sync'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: folder,
      ...owner(),
    });
    const server = new PostgresServer(await freePort(), folder, programs);
    await server.up();
    return server;
  }

  async up(): Promise<void> {
    // What is tested are crashes of processes; a loss of power would need fsync, and the tests minutes.
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap(
      (one) => ['-c', one],
    );
    const data = ['-D', join(this.folder, 'data'), '-p', String(this.port)];
    this.#child = spawn(join(this.programs, 'postgres'), [...data, ...settings], {
      stdio: 'ignore',
      cwd: this.folder,
      ...owner(),
    });
    const ended = once(this.#child, 'exit').then(() => {
      throw new Error('postgres ended while it started');
    });
    await Promise.race([this.untilAnswering(), ended]);
    ended.catch(() => undefined);
  }

  /** A new database; gives its URL. */
  async database(template = 'template0'): Promise<string> {
    this.#databases += 1;
    const name = `store_${this.#databases}`;
    await this.command(`create database ${name} encoding 'UTF8' template ${template} strategy file_copy`);
    return this.urlOf(name);
  }

  urlOf(name: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${name}`;
  }

  /** At once, as a crash would. */
  async down(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGQUIT');
    await gone;
  }

  /** To the server and each process that it has started for a connection. */
  signalAll(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    for (const one of [pid, ...children.trim().split('\n').map(Number)]) process.kill(one, signal);
  }

  async remove(): Promise<void> {
    await this.down();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async command(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  }

  private async untilAnswering(): Promise<void> {
    for (;;) {
      try {
        await this.command('select 1');
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const numberOf = (option: string): number =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }).trim());
  return { uid: numberOf('-u'), gid: numberOf('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
