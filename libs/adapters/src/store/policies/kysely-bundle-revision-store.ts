import { WrongStackError } from '@wrongstack/contracts';
import type { BundleRevision } from '@wrongstack/contracts/control';
import { BundleRevisionStore } from '@wrongstack/contracts/control';
import type { Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

export class KyselyBundleRevisionStore extends BundleRevisionStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async current(): Promise<BundleRevision> {
    const { epoch, revision } = await this.session.run((db) =>
      db
        .selectFrom('bundle_counter')
        .select(['epoch', 'revision'])
        .where('id', '=', 1)
        .executeTakeFirstOrThrow(),
    );
    return { epoch, revision };
  }

  override async raise(atLeast = 0): Promise<BundleRevision> {
    return await this.session.atomically(async (db) => {
      const { epoch, revision } = await lockCounter(db);
      return await writeCounter(db, { epoch, revision: Math.max(revision + 1, atLeast) });
    });
  }

  override async setEpoch(epoch: number): Promise<BundleRevision> {
    return await this.session.atomically(async (db) => {
      const before = await lockCounter(db);
      if (epoch < before.epoch) {
        throw new WrongStackError(
          'store.conflict',
          `epoch ${epoch} is below the current one, ${before.epoch}`,
        );
      }
      return await writeCounter(db, { ...before, epoch });
    });
  }

  override async recover(seen: BundleRevision | null): ReturnType<BundleRevisionStore['recover']> {
    return await this.session.atomically(async (db) => {
      const before = await lockCounter(db);
      const reported = await highestReported(db);
      const outside = [reported, seen].filter((revision) => revision !== null);
      if (!outside.some((revision) => isAbove(revision, before))) return { before, reported, after: before };
      const after = {
        epoch: Math.max(before.epoch, ...outside.map(({ epoch }) => epoch)),
        revision: Math.max(before.revision, ...outside.map(({ revision }) => revision)) + 1,
      };
      return { before, reported, after: await writeCounter(db, after) };
    });
  }
}

export function isAbove(one: BundleRevision, other: BundleRevision): boolean {
  return one.epoch > other.epoch || (one.epoch === other.epoch && one.revision > other.revision);
}

export async function highestReported(db: Database): Promise<BundleRevision | null> {
  const row = await db
    .selectFrom('fleet_highest')
    .select(['epoch', 'revision'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row === undefined ? null : { epoch: row.epoch, revision: row.revision };
}

/** A write that changes nothing takes the row's lock on every database. */
async function lockCounter(db: Database): Promise<BundleRevision> {
  const { epoch, revision } = await db
    .updateTable('bundle_counter')
    .set((build) => ({ revision: build.ref('revision') }))
    .where('id', '=', 1)
    .returning(['epoch', 'revision'])
    .executeTakeFirstOrThrow();
  return { epoch, revision };
}

async function writeCounter(db: Database, next: BundleRevision): Promise<BundleRevision> {
  if (!Number.isSafeInteger(next.revision) || !Number.isSafeInteger(next.epoch)) {
    throw new WrongStackError('store.conflict', 'a bundle revision must be a whole number below 2^53');
  }
  const { epoch, revision } = next;
  await db.updateTable('bundle_counter').set({ epoch, revision }).where('id', '=', 1).execute();
  return { epoch, revision };
}
