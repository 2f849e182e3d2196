import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { WrongStackError, codeOf } from '@wrongstack/contracts';
import Database from 'libsql';
import { PRIVATE_FILE } from '../../files/private-files.js';
import { ownIdentity } from '../../files/process-identity.js';

/**
 * One process a database. The lock is the operating system's, on a file of its own beside the database: it ends with its process,
 * however that ends, and in another container as well. The other file only says who holds it.
 */
export class ProcessLock {
  private constructor(
    private readonly database: Database.Database,
    private readonly ownerFile: string,
  ) {}

  /** Throws `store.in_use` with the file and the process that has it. */
  static take(file: string): ProcessLock {
    const ownerFile = `${file}.owner`;
    const database = new Database(`${file}.lock`, { timeout: 0 });
    try {
      database.exec('begin exclusive');
    } catch (thrown) {
      database.close();
      if (!codeOf(thrown).startsWith('SQLITE_BUSY')) throw thrown;
      throw new WrongStackError('store.in_use', `${file} is in use by ${ownerOf(ownerFile)}`, {
        cause: thrown,
        hint: 'stop that process, or give this one a folder of its own; several processes need PostgreSQL (DATABASE_URL)',
      });
    }
    writeFileSync(ownerFile, JSON.stringify(ownIdentity()), { mode: PRIVATE_FILE });
    return new ProcessLock(database, ownerFile);
  }

  /** The lock's own file stays: removing it could take it from somebody who has just opened it. */
  release(): void {
    rmSync(this.ownerFile, { force: true });
    this.database.close();
  }
}

function ownerOf(file: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return `process ${String(pid)} on ${String(host)}`;
  } catch {
    return 'another process';
  }
}
