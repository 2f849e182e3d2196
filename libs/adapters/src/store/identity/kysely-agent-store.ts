import { WrongStackError } from '@wrongstack/contracts';
import type {
  AgentRecord,
  DeviceEnrolment,
  EnrolmentDecided,
  EnrolmentUsed,
  Page,
  PageRequest,
  RefreshOutcome,
  RefreshSecret,
} from '@wrongstack/contracts/control';
import { AgentStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, pageLimit, pageOf, readCursor } from '../keys.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';
import { addEnrolment, decideEnrolment, readEnrolment, useEnrolment } from './device-enrolments.js';
import { revokeTokensOf } from './kysely-token-store.js';

type Kept = Omit<AgentRecord, 'id' | 'owner' | 'revoked'>;

export class KyselyAgentStore extends AgentStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(agent: AgentRecord, secret: RefreshSecret): Promise<boolean> {
    const { id, owner, revoked, ...rest } = agent;
    const kept: Kept = rest;
    const values = {
      id: key('id', id),
      owner: key('owner', owner),
      revoked: revoked === null ? null : toJson(revoked),
      body: toJson(kept),
    };
    return await this.session.atomically(async (db) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('agents')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await addSecret(db, id, secret);
      return true;
    });
  }

  override async get(id: string): Promise<AgentRecord | null> {
    return await this.session.run((db) => readAgent(db, key('id', id)));
  }

  override async list(filter: { readonly owner?: string }, page: PageRequest): Promise<Page<AgentRecord>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['string']);
    const rows = await this.session.run((db) => {
      let query = db.selectFrom('agents').selectAll();
      if (filter.owner !== undefined) query = query.where('owner', '=', key('owner', filter.owner));
      if (after !== null) query = query.where('id', '>', after[0]);
      return query
        .orderBy('id')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(rows, limit, agentOf, ({ id }) => [id]);
  }

  override async revoke(id: string, because: string, at: string): Promise<boolean> {
    return await this.session.atomically((db) => revokeAgent(db, key('id', id), because, key('at', at)));
  }

  override async rotate(presentedHash: string, next: RefreshSecret, at: string): Promise<RefreshOutcome> {
    const hash = key('presentedHash', presentedHash);
    return await this.session.atomically(async (db) => {
      const secret = await db
        .selectFrom('refresh_secrets')
        .selectAll()
        .where('hash', '=', hash)
        .executeTakeFirst();
      const agent = secret === undefined ? null : await readAgent(db, secret.agent);
      if (secret === undefined || agent === null) return { outcome: 'unknown' };
      if (agent.revoked !== null) return { outcome: 'revoked', agent };
      if (secret.used_at === null && secret.expires_at <= at) return { outcome: 'expired', agent };
      // Of two that present it at once, the second waits here and then finds it used.
      if (await takeSecret(db, hash, next.hash, key('at', at))) {
        await addSecret(db, agent.id, next);
        return { outcome: 'rotated', agent };
      }
      // The answer was lost and is asked for again.
      if (await isNewestAfter(db, hash, next.hash)) return { outcome: 'rotated', agent };
      await revokeAgent(db, agent.id, 'a refresh secret was used twice', at);
      return { outcome: 'reused', agent: (await readAgent(db, agent.id)) ?? agent };
    });
  }

  override async addEnrolment(enrolment: DeviceEnrolment): Promise<boolean> {
    return await this.session.run((db) => addEnrolment(db, enrolment));
  }

  override async enrolmentByUserCode(userCode: string): Promise<DeviceEnrolment | null> {
    const found = await this.session.run((db) => readEnrolment(db, 'user_code', key('userCode', userCode)));
    return found?.enrolment ?? null;
  }

  override async enrolmentByDevice(deviceHash: string): Promise<DeviceEnrolment | null> {
    const found = await this.session.run((db) =>
      readEnrolment(db, 'device_hash', key('deviceHash', deviceHash)),
    );
    return found?.enrolment ?? null;
  }

  override async decideEnrolment(
    userCode: string,
    decision: Parameters<AgentStore['decideEnrolment']>[1],
  ): Promise<EnrolmentDecided> {
    return await this.session.run((db) => decideEnrolment(db, key('userCode', userCode), decision));
  }

  override async useEnrolment(deviceHash: string, agent: string, at: string): Promise<EnrolmentUsed> {
    return await this.session.run((db) => useEnrolment(db, key('deviceHash', deviceHash), agent, at));
  }

  override async prune(expiredBefore: string): Promise<number> {
    const before = key('expiredBefore', expiredBefore);
    return await this.session.run(async (db) => {
      const enrolments = await db
        .deleteFrom('device_enrolments')
        .where('expires_at', '<', before)
        .executeTakeFirstOrThrow();
      const secrets = await db
        .deleteFrom('refresh_secrets')
        .where('expires_at', '<', before)
        .executeTakeFirstOrThrow();
      return Number(enrolments.numDeletedRows + secrets.numDeletedRows);
    });
  }
}

async function readAgent(db: Database, id: string): Promise<AgentRecord | null> {
  const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : agentOf(row);
}

function agentOf(row: ControlSchema['agents']): AgentRecord {
  return {
    id: row.id,
    owner: row.owner,
    ...fromJson<Kept>(row.body),
    revoked: row.revoked === null ? null : fromJson<AgentRecord['revoked']>(row.revoked),
  };
}

async function addSecret(db: Database, agent: string, { hash, expiresAt }: RefreshSecret): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('refresh_secrets')
    .values({
      hash: key('hash', hash),
      agent,
      expires_at: key('expiresAt', expiresAt),
      used_at: null,
      next: null,
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) {
    throw new WrongStackError('store.conflict', 'a refresh secret must never have been given before');
  }
}

/** Whether `next` took this secret's place and is itself unused. */
async function isNewestAfter(db: Database, hash: string, next: string): Promise<boolean> {
  const row = await db
    .selectFrom('refresh_secrets as used')
    .innerJoin('refresh_secrets as newest', 'newest.hash', 'used.next')
    .select('newest.hash')
    .where('used.hash', '=', hash)
    .where('newest.hash', '=', next)
    .where('newest.used_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function takeSecret(db: Database, hash: string, next: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refresh_secrets')
    .set({ used_at: at, next: key('hash', next) })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

async function revokeAgent(db: Database, id: string, because: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agents')
    .set({ revoked: toJson({ at, because }) })
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  await revokeTokensOf(db, id, at);
  return true;
}
