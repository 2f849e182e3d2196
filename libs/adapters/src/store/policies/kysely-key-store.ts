import type { StoredKeyDocument, StoredSigningKey } from '@wrongstack/contracts/control';
import { KeyStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key } from '../keys.js';
import type { ControlSchema } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Described = Pick<StoredSigningKey, 'publicKey' | 'notAfter'>;

export class KyselyKeyStore extends KeyStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async newestDocument(): Promise<StoredKeyDocument | null> {
    const row = await this.session.run((db) =>
      db.selectFrom('key_documents').select('body').orderBy('epoch', 'desc').limit(1).executeTakeFirst(),
    );
    return row === undefined ? null : fromJson<StoredKeyDocument>(row.body);
  }

  override async document(epoch: number): Promise<StoredKeyDocument | null> {
    if (!Number.isSafeInteger(epoch)) return null;
    const row = await this.session.run((db) =>
      db.selectFrom('key_documents').select('body').where('epoch', '=', epoch).executeTakeFirst(),
    );
    return row === undefined ? null : fromJson<StoredKeyDocument>(row.body);
  }

  override async addDocument(document: StoredKeyDocument): Promise<boolean> {
    const { epoch } = document;
    return await this.session.atomically(async (db) => {
      // The counter's row is the lock between two that rotate at once.
      await db
        .updateTable('bundle_counter')
        .set((build) => ({ epoch: build.ref('epoch') }))
        .where('id', '=', 1)
        .execute();
      const later = await db
        .selectFrom('key_documents')
        .select('epoch')
        .where('epoch', '>=', epoch)
        .limit(1)
        .executeTakeFirst();
      if (later !== undefined) return false;
      await db
        .insertInto('key_documents')
        .values({ epoch, body: toJson(document) })
        .execute();
      return true;
    });
  }

  override async addSigningKey(signing: StoredSigningKey): Promise<boolean> {
    const { keyId, publicKey, notAfter, createdAt, retiredAt, material } = signing;
    const described: Described = { publicKey, notAfter };
    const { numInsertedOrUpdatedRows } = await this.session.run((db) =>
      db
        .insertInto('signing_keys')
        .values({
          id: key('keyId', keyId),
          created_at: key('createdAt', createdAt),
          retired_at: retiredAt,
          material: Buffer.from(material).toString('base64'),
          body: toJson(described),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  override async signingKey(keyId: string): Promise<StoredSigningKey | null> {
    const row = await this.session.run((db) =>
      db.selectFrom('signing_keys').selectAll().where('id', '=', key('keyId', keyId)).executeTakeFirst(),
    );
    return row === undefined ? null : signingKeyOf(row);
  }

  override async signingKeys(): Promise<readonly StoredSigningKey[]> {
    const rows = await this.session.run((db) =>
      db.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('id').execute(),
    );
    return rows.map(signingKeyOf);
  }

  override async retireSigningKey(keyId: string, at: string): Promise<boolean> {
    const { numUpdatedRows } = await this.session.run((db) =>
      db
        .updateTable('signing_keys')
        .set({ retired_at: key('at', at), material: '' })
        .where('id', '=', key('keyId', keyId))
        .where('retired_at', 'is', null)
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows === 1n;
  }
}

function signingKeyOf(row: ControlSchema['signing_keys']): StoredSigningKey {
  return {
    keyId: row.id,
    ...fromJson<Described>(row.body),
    material: Uint8Array.from(Buffer.from(row.material, 'base64')),
    createdAt: row.created_at,
    retiredAt: row.retired_at,
  };
}
