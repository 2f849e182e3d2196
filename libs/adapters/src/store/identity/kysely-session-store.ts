import type { SessionRecord } from '@wrongstack/contracts/control';
import { SessionStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, pageLimit } from '../keys.js';
import type { ControlSchema } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Kept = Pick<SessionRecord, 'proof'>;

export class KyselySessionStore extends SessionStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add({ proof, ...record }: SessionRecord): Promise<boolean> {
    const kept: Kept = { proof };
    const values = {
      secret_hash: key('secretHash', record.secretHash),
      id: key('id', record.id),
      user_id: key('user', record.user),
      created_at: key('createdAt', record.createdAt),
      expires_at: key('expiresAt', record.expiresAt),
      last_seen_at: key('lastSeenAt', record.lastSeenAt),
      body: toJson(kept),
    };
    const { numInsertedOrUpdatedRows } = await this.session.run((db) =>
      db
        .insertInto('sessions')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  override async get(secretHash: string): Promise<SessionRecord | null> {
    const row = await this.session.run((db) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('secret_hash', '=', key('secretHash', secretHash))
        .executeTakeFirst(),
    );
    return row === undefined ? null : sessionOf(row);
  }

  override async ofUser(user: string, limit: number): Promise<readonly SessionRecord[]> {
    const rows = await this.session.run((db) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', key('user', user))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(pageLimit({ limit }))
        .execute(),
    );
    return rows.map(sessionOf);
  }

  override async touch(id: string, at: string): Promise<void> {
    await this.session.run((db) =>
      db
        .updateTable('sessions')
        .set({ last_seen_at: key('at', at) })
        .where('id', '=', key('id', id))
        .where('last_seen_at', '<', at)
        .execute(),
    );
  }

  override async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.session.run((db) =>
      db.deleteFrom('sessions').where('id', '=', key('id', id)).executeTakeFirstOrThrow(),
    );
    return numDeletedRows === 1n;
  }

  override async prune(expiredBefore: string, silentSince: string): Promise<number> {
    const { numDeletedRows } = await this.session.run((db) =>
      db
        .deleteFrom('sessions')
        .where((build) =>
          build.or([
            build('expires_at', '<', key('expiredBefore', expiredBefore)),
            build('last_seen_at', '<', key('silentSince', silentSince)),
          ]),
        )
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }
}

function sessionOf(row: ControlSchema['sessions']): SessionRecord {
  return {
    id: row.id,
    secretHash: row.secret_hash,
    user: row.user_id,
    ...fromJson<Kept>(row.body),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastSeenAt: row.last_seen_at,
  };
}
