import type { Page, PageRequest, TokenFilter, TokenRecord } from '@wrongstack/contracts/control';
import { TokenStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, keyOrNull, pageLimit, pageOf, readCursor } from '../keys.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Kept = Omit<TokenRecord, 'id' | 'kind' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'>;

export class KyselyTokenStore extends TokenStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(token: TokenRecord): Promise<boolean> {
    const { id, kind, expiresAt, revokedAt, lastUsedAt, ...rest } = token;
    const kept: Kept = rest;
    const values = {
      id: key('id', id),
      kind,
      principal: key('principal', token.principal.id),
      expires_at: keyOrNull('expiresAt', expiresAt),
      revoked_at: keyOrNull('revokedAt', revokedAt),
      last_used_at: keyOrNull('lastUsedAt', lastUsedAt),
      body: toJson(kept),
    };
    const { numInsertedOrUpdatedRows } = await this.session.run((db) =>
      db
        .insertInto('tokens')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  override async get(id: string): Promise<TokenRecord | null> {
    const row = await this.session.run((db) =>
      db.selectFrom('tokens').selectAll().where('id', '=', key('id', id)).executeTakeFirst(),
    );
    return row === undefined ? null : tokenOf(row);
  }

  override async list(filter: TokenFilter, page: PageRequest): Promise<Page<TokenRecord>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['string']);
    const rows = await this.session.run((db) => {
      let query = db.selectFrom('tokens').selectAll();
      if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
      if (filter.principal !== undefined) {
        query = query.where('principal', '=', key('principal', filter.principal));
      }
      if (after !== null) query = query.where('id', '>', after[0]);
      return query
        .orderBy('id')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(rows, limit, tokenOf, ({ id }) => [id]);
  }

  override async revoke(id: string, at: string): Promise<boolean> {
    const { numUpdatedRows } = await this.session.run((db) =>
      db
        .updateTable('tokens')
        .set({ revoked_at: key('at', at) })
        .where('id', '=', key('id', id))
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows === 1n;
  }

  override async revokeAllOf(principal: string, at: string): Promise<number> {
    return await this.session.run((db) => revokeTokensOf(db, key('principal', principal), key('at', at)));
  }

  override async touch(id: string, at: string): Promise<void> {
    await this.session.run((db) =>
      db
        .updateTable('tokens')
        .set({ last_used_at: key('at', at) })
        .where('id', '=', key('id', id))
        .where((build) => build.or([build('last_used_at', 'is', null), build('last_used_at', '<', at)]))
        .execute(),
    );
  }

  override async prune(expiredBefore: string): Promise<number> {
    const { numDeletedRows } = await this.session.run((db) =>
      db
        .deleteFrom('tokens')
        .where('kind', '=', 'access')
        .where('expires_at', '<', key('expiredBefore', expiredBefore))
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }
}

export async function revokeTokensOf(db: Database, principal: string, at: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('principal', '=', principal)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function tokenOf(row: ControlSchema['tokens']): TokenRecord {
  return {
    id: row.id,
    // Written from the record's own type.
    kind: row.kind as TokenRecord['kind'],
    ...fromJson<Kept>(row.body),
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
