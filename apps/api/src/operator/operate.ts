import { parseArgs } from 'node:util';
import path from 'node:path';
import { backupSqlite } from '@wrongstack/adapters/store';
import { isoNow, messageOf, silentLogger, WrongStackError } from '@wrongstack/contracts';
import type { BundleRevision } from '@wrongstack/contracts/control';
import { recordAction, THE_SERVER } from '../control/action-trail.js';
import { type ControlParts, type ControlPlace, openControl, storeFile } from '../control/open-control.js';
import { createAdminToken } from '../identity/first-admin.js';

export const USAGE = `usage: npm run api                            start
       npm run api -- --new-admin-token       a token for a day, for whoever has the machine and no token
       npm run api -- --rotate-keys           a new signing key; needs control/root.key for this one command
       npm run api -- --backup=<file>         a whole copy of the SQLite store, also while the API runs
       npm run api -- --recover[=<epoch>.<revision>]
                                              after a restore: raise the revision above what clients have seen`;

/**
 * What an operator does on the machine itself, instead of starting the server. Gives what is to be printed, or null where the server is to
 * start. A SQLite store belongs to one process: all but the backup need the server stopped there. Throws `api.option`, `keys.*`, `store.*`.
 */
export async function operate(args: readonly string[], place: ControlPlace): Promise<string | null> {
  const { help, backup, recover, ...others } = readOptions(args);
  if (help === true) return USAGE;
  if (backup !== undefined) return backUp(backup, place);
  if (recover !== undefined) {
    const seen = readSeen(recover);
    return withControl(place, (parts) => raise(parts, seen));
  }
  if (others['new-admin-token'] === true) {
    return withControl(
      place,
      async ({ control }) => `admin token, good for a day: ${await createAdminToken(control)}`,
    );
  }
  if (others['rotate-keys'] === true) return withControl(place, rotate);
  return null;
}

function readOptions(args: readonly string[]) {
  // An option with a value that may be missing: parseArgs knows none.
  const written = args.map((arg) => (arg === '--recover' ? '--recover=' : arg));
  try {
    const { values } = parseArgs({
      args: written,
      options: {
        help: { type: 'boolean' },
        'new-admin-token': { type: 'boolean' },
        'rotate-keys': { type: 'boolean' },
        backup: { type: 'string' },
        recover: { type: 'string' },
      },
    });
    if (Object.keys(values).length > 1) throw new Error('one command at a time');
    return values;
  } catch (error) {
    throw new WrongStackError('api.option', messageOf(error), { hint: 'see --help', cause: error });
  }
}

function readSeen(text: string): BundleRevision | null {
  if (text === '') return null;
  const [, epoch, revision] = /^(\d{1,9})\.(\d{1,12})$/.exec(text) ?? [];
  if (epoch !== undefined && revision !== undefined)
    return { epoch: Number(epoch), revision: Number(revision) };
  throw new WrongStackError(
    'api.option',
    `--recover=${text} is no revision: give it as a client shows it, <epoch>.<revision>`,
  );
}

function backUp(target: string, place: ControlPlace): string {
  if (place.databaseUrl !== null) {
    throw new WrongStackError(
      'api.backup_postgres',
      'the store is PostgreSQL: use pg_dump (docs/operations/backup.md)',
    );
  }
  const file = path.resolve(target);
  backupSqlite(storeFile(place), file);
  return `backup: ${file} (the keys are beside the store: keep root.key and seal.key as well)`;
}

async function raise({ control }: ControlParts, seen: BundleRevision | null): Promise<string> {
  const { store, clock } = control;
  const { before, reported, after } = await store.transaction(async (tx) => {
    const outcome = await tx.bundleRevision.recover(seen);
    await recordAction(tx, THE_SERVER, 'bundles.recovered', { seen, ...outcome }, isoNow(clock));
    return outcome;
  });
  const lines = [
    `the fleet has reported ${reported === null ? 'nothing' : textOf(reported)}`,
    `bundle revision: ${textOf(before)} before, ${textOf(after)} now`,
  ];
  const document = await store.keys.newestDocument();
  if ((document?.epoch ?? 0) < after.epoch) {
    lines.push(
      'clients know a newer key document than this store: put root.key back and run --rotate-keys next',
    );
  }
  return lines.join('\n');
}

async function rotate({ keys }: ControlParts): Promise<string> {
  const { key, epoch } = await keys.rotate();
  return `signing key ${key.keyId} of epoch ${epoch}; the one before verifies for 30 days more. Take root.key away again`;
}

function textOf({ epoch, revision }: BundleRevision): string {
  return `${epoch}.${revision}`;
}

async function withControl(
  place: ControlPlace,
  work: (parts: ControlParts) => Promise<string>,
): Promise<string> {
  const parts = await openControl(place, silentLogger);
  try {
    return await work(parts);
  } finally {
    await parts.close();
  }
}
