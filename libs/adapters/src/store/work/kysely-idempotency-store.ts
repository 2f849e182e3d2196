import type { IdempotencyKey, IdempotencyOutcome, StoredAnswer } from '@wrongstack/contracts/control';
import { IdempotencyStore } from '@wrongstack/contracts/control';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { fromJson, toJson } from '../json-column.js';
import { key } from '../keys.js';
import type { ControlSchema } from '../schema.js';
import type { StoreSession } from '../store-session.js';

type Times = Parameters<IdempotencyStore['begin']>[2];

export class KyselyIdempotencyStore extends IdempotencyStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async begin(promise: IdempotencyKey, digest: string, times: Times): Promise<IdempotencyOutcome> {
    const names = namesOf(promise);
    const at = key('at', times.at);
    const fresh = {
      digest: key('digest', digest),
      lease_until: key('leaseUntil', times.leaseUntil),
      expires_at: key('expiresAt', times.expiresAt),
      answer: null,
    };
    return await this.session.run(async (db) => {
      // Taken where there is none, or where what is there is over: one statement, so that one of many gets it.
      const taken = await db
        .insertInto('idempotency')
        .values({ ...names, ...fresh })
        .onConflict((conflict) =>
          conflict
            .columns(['principal', 'route', 'key'])
            .doUpdateSet(fresh)
            .where((build) =>
              build.or([
                build('idempotency.expires_at', '<=', at),
                build.and([
                  build('idempotency.answer', 'is', null),
                  build('idempotency.lease_until', '<=', at),
                  build('idempotency.digest', '=', fresh.digest),
                ]),
              ]),
            ),
        )
        .returning('key')
        .executeTakeFirst();
      if (taken !== undefined) return { outcome: 'mine' };
      const row = await db
        .selectFrom('idempotency')
        .select(['digest', 'answer'])
        .where((build) => isKey(build, promise))
        .executeTakeFirst();
      // Given up in between: the next try gets it.
      if (row === undefined) return { outcome: 'running' };
      if (row.digest !== digest) return { outcome: 'other-request' };
      if (row.answer === null) return { outcome: 'running' };
      return { outcome: 'answered', answer: fromJson<StoredAnswer>(row.answer) };
    });
  }

  override async finish(promise: IdempotencyKey, answer: StoredAnswer): Promise<void> {
    await this.session.run((db) =>
      db
        .updateTable('idempotency')
        .set({ answer: toJson(answer) })
        .where((build) => isKey(build, promise))
        .execute(),
    );
  }

  override async abandon(promise: IdempotencyKey): Promise<void> {
    await this.session.run((db) =>
      db
        .deleteFrom('idempotency')
        .where((build) => isKey(build, promise))
        .where('answer', 'is', null)
        .execute(),
    );
  }

  override async prune(at: string): Promise<number> {
    const { numDeletedRows } = await this.session.run((db) =>
      db.deleteFrom('idempotency').where('expires_at', '<=', key('at', at)).executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }
}

function namesOf(promise: IdempotencyKey): IdempotencyKey {
  return {
    principal: key('principal', promise.principal),
    route: key('route', promise.route),
    key: key('key', promise.key),
  };
}

function isKey(
  build: ExpressionBuilder<ControlSchema, 'idempotency'>,
  promise: IdempotencyKey,
): Expression<SqlBool> {
  const names = namesOf(promise);
  return build.and([
    build('principal', '=', names.principal),
    build('route', '=', names.route),
    build('key', '=', names.key),
  ]);
}
