import { digestOf } from '@wrongstack/contracts';
import type {
  Compared,
  Edited,
  GroupMapping,
  OrganisationSettings,
  Page,
  PageRequest,
  UserRecord,
} from '@wrongstack/contracts/control';
import { IdentityStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, pageLimit, pageOf, readCursor } from '../keys.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Kept = Omit<UserRecord, 'id' | 'etag'>;

export class KyselyIdentityStore extends IdentityStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async addUser(user: Omit<UserRecord, 'etag'>): Promise<boolean> {
    const { id, subject } = user;
    const values = { id: key('id', id), subject: subjectOf(subject), etag: 1, body: bodyOf(user) };
    const { numInsertedOrUpdatedRows } = await this.session.run((db) =>
      db
        .insertInto('users')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  override async user(id: string): Promise<UserRecord | null> {
    return await this.session.run((db) => readUser(db, key('id', id)));
  }

  override async userBySubject(issuer: string, subject: string): Promise<UserRecord | null> {
    const digest = digestOf([issuer, subject]);
    const row = await this.session.run((db) =>
      db.selectFrom('users').selectAll().where('subject', '=', digest).executeTakeFirst(),
    );
    return row === undefined ? null : userOf(row);
  }

  override async users(page: PageRequest): Promise<Page<UserRecord>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['string']);
    const rows = await this.session.run((db) => {
      const query = db.selectFrom('users').selectAll();
      return (after === null ? query : query.where('id', '>', after[0]))
        .orderBy('id')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(rows, limit, userOf, ({ id }) => [id]);
  }

  override async changeUser(user: UserRecord, ifEtag: number): Promise<Compared<UserRecord>> {
    const id = key('id', user.id);
    return await this.session.atomically(async (db) => {
      const before = await readUser(db, id);
      if (before?.etag !== ifEtag) return { ok: false, reason: 'stale', current: before };
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({
          subject: subjectOf(user.subject),
          etag: ifEtag + 1,
          body: bodyOf({ ...user, createdAt: before.createdAt }),
        })
        .where('id', '=', id)
        .where('etag', '=', ifEtag)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 1n) return { ok: true };
      return { ok: false, reason: 'stale', current: await readUser(db, id) };
    });
  }

  override async groupMappings(): Promise<Edited<readonly GroupMapping[]>> {
    return await this.session.run((db) => readEdited<readonly GroupMapping[]>(db, 'groupMappings', []));
  }

  override async setGroupMappings(
    mappings: readonly GroupMapping[],
    ifEtag: number,
  ): Promise<Compared<Edited<readonly GroupMapping[]>>> {
    return await this.session.atomically((db) => writeEdited(db, 'groupMappings', mappings, ifEtag, []));
  }

  override async settings(): Promise<Edited<OrganisationSettings>> {
    return await this.session.run((db) => readEdited<OrganisationSettings>(db, 'settings', {}));
  }

  override async setSettings(
    settings: OrganisationSettings,
    ifEtag: number,
  ): Promise<Compared<Edited<OrganisationSettings>>> {
    return await this.session.atomically((db) => writeEdited(db, 'settings', settings, ifEtag, {}));
  }
}

function subjectOf(subject: UserRecord['subject']): string | null {
  return subject === null ? null : digestOf([subject.issuer, subject.subject]);
}

function bodyOf({ name, email, subject, teams, roles, createdAt, disabledAt }: Kept): string {
  const kept: Kept = { name, email, subject, teams, roles, createdAt, disabledAt };
  return toJson(kept);
}

function userOf(row: ControlSchema['users']): UserRecord {
  return { id: row.id, ...fromJson<Kept>(row.body), etag: row.etag };
}

async function readUser(db: Database, id: string): Promise<UserRecord | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

async function readEdited<Value>(db: Database, name: string, none: Value): Promise<Edited<Value>> {
  const row = await db.selectFrom('edited_values').selectAll().where('name', '=', name).executeTakeFirst();
  return row === undefined ? { etag: 0, value: none } : { etag: row.etag, value: fromJson<Value>(row.body) };
}

async function writeEdited<Value>(
  db: Database,
  name: string,
  value: Value,
  ifEtag: number,
  none: Value,
): Promise<Compared<Edited<Value>>> {
  await db
    .insertInto('edited_values')
    .values({ name, etag: 0, body: toJson(none) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('edited_values')
    .set({ etag: ifEtag + 1, body: toJson(value) })
    .where('name', '=', name)
    .where('etag', '=', ifEtag)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return { ok: true };
  return { ok: false, reason: 'stale', current: await readEdited(db, name, none) };
}
