import { chmodSync, closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { WrongStackError } from '@wrongstack/contracts';
import LibsqlDatabase from 'libsql';
import { PRIVATE_FILE } from '../../files/private-files.js';

/**
 * Writes a whole, compact copy of a SQLite store into a new file, also while a process writes to it: the copy is how the store was
 * at one moment. `store.backup_failed` where the target exists, the file is none, or the copy does not pass SQLite's own check.
 */
export function backupSqlite(file: string, target: string): void {
  if (!existsSync(file)) throw new WrongStackError('store.backup_failed', `${file} does not exist`);
  if (existsSync(target)) {
    throw new WrongStackError('store.backup_failed', `${target} exists already; a backup never overwrites`);
  }
  try {
    const source = new LibsqlDatabase(file, { timeout: 30_000 });
    try {
      source.prepare('vacuum into ?').run([target]);
    } finally {
      source.close();
    }
    chmodSync(target, PRIVATE_FILE);
    check(target);
    sync(target);
  } catch (thrown) {
    rmSync(target, { force: true });
    if (thrown instanceof WrongStackError) throw thrown;
    throw new WrongStackError('store.backup_failed', `${file} could not be copied to ${target}`, {
      cause: thrown,
    });
  }
}

function check(file: string): void {
  const copy = new LibsqlDatabase(file, { readonly: true });
  try {
    // Each row is one finding, or the one word `ok`.
    const rows = copy.prepare('pragma integrity_check').all([]) as { readonly integrity_check: string }[];
    if (rows.length === 1 && rows[0]?.integrity_check === 'ok') return;
    throw new WrongStackError(
      'store.backup_failed',
      `the copy ${file} does not pass SQLite's integrity check`,
    );
  } finally {
    copy.close();
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
