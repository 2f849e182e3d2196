import { WrongStackError } from '@wrongstack/contracts';
import type {
  Compared,
  DraftSaved,
  Page,
  PageRequest,
  PolicyComment,
  PolicyDraft,
  PolicyFilter,
  PolicyRecord,
  PolicyRevision,
} from '@wrongstack/contracts/control';
import { PolicyStore } from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key, pageLimit, pageOf, readCursor } from '../keys.js';
import type { Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';
import type { RevisionChange } from './policy-rows.js';
import { draftOf, fixedOf, movingOf, policyOf, revisionOf } from './policy-rows.js';

const POLICY_COLUMNS = [
  'id',
  'tier',
  'ref',
  'created_by',
  'created_at',
  'newest_revision',
  'active_revision',
  'draft_etag',
] as const;

export class KyselyPolicyStore extends PolicyStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async create(
    policy: Pick<PolicyRecord, 'id' | 'tier' | 'ref' | 'createdBy' | 'createdAt'>,
  ): Promise<boolean> {
    const values = {
      id: key('id', policy.id),
      tier: policy.tier,
      ref: key('ref', policy.ref),
      created_by: key('createdBy', policy.createdBy),
      created_at: key('createdAt', policy.createdAt),
      newest_revision: 0,
      draft_counter: 0,
    };
    const { numInsertedOrUpdatedRows } = await this.session.run((db) =>
      db
        .insertInto('policies')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  override async get(id: string): Promise<PolicyRecord | null> {
    const row = await this.session.run((db) =>
      db.selectFrom('policies').select(POLICY_COLUMNS).where('id', '=', key('id', id)).executeTakeFirst(),
    );
    return row === undefined ? null : policyOf(row);
  }

  override async list(filter: PolicyFilter, page: PageRequest): Promise<Page<PolicyRecord>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['string']);
    const rows = await this.session.run((db) => {
      let query = db.selectFrom('policies').select(POLICY_COLUMNS);
      if (filter.tier !== undefined) query = query.where('tier', '=', filter.tier);
      if (filter.ref !== undefined) query = query.where('ref', '=', key('ref', filter.ref));
      if (after !== null) query = query.where('id', '>', after[0]);
      return query
        .orderBy('id')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(rows, limit, policyOf, ({ id }) => [id]);
  }

  override async draft(policy: string): Promise<PolicyDraft | null> {
    return await this.session.run((db) => readDraft(db, key('policy', policy)));
  }

  override async saveDraft(draft: Omit<PolicyDraft, 'etag'>, ifEtag: number | null): Promise<DraftSaved> {
    const policy = key('policy', draft.policy);
    const { text, author, savedAt, basedOn } = draft;
    return await this.session.run(async (db) => {
      const saved = await db
        .updateTable('policies')
        .set((build) => ({
          draft: toJson({ text, author, savedAt, basedOn }),
          draft_etag: build('draft_counter', '+', 1),
          draft_counter: build('draft_counter', '+', 1),
        }))
        .where('id', '=', policy)
        .where('draft_etag', ifEtag === null ? 'is' : '=', ifEtag)
        .returning('draft_etag')
        .executeTakeFirst();
      if (typeof saved?.draft_etag === 'number') {
        return { ok: true, draft: { policy, text, author, savedAt, basedOn, etag: saved.draft_etag } };
      }
      await requirePolicy(db, policy);
      return { ok: false, reason: 'stale', current: await readDraft(db, policy) };
    });
  }

  override async deleteDraft(policy: string, ifEtag: number): Promise<Compared<PolicyDraft>> {
    const id = key('policy', policy);
    return await this.session.run(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('policies')
        .set({ draft: null, draft_etag: null })
        .where('id', '=', id)
        .where('draft_etag', '=', ifEtag)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 1n) return { ok: true };
      await requirePolicy(db, id);
      return { ok: false, reason: 'stale', current: await readDraft(db, id) };
    });
  }

  override async addRevision(revision: Omit<PolicyRevision, 'etag'>): Promise<Compared<PolicyRevision>> {
    const policy = key('policy', revision.policy);
    const { number, state } = revision;
    return await this.session.atomically(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('policies')
        .set({ newest_revision: number })
        .where('id', '=', policy)
        .where('newest_revision', '=', number - 1)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) {
        await requirePolicy(db, policy);
        return { ok: false, reason: 'stale', current: await newestRevision(db, policy) };
      }
      if (state === 'active') await activate(db, policy, number);
      await db
        .insertInto('policy_revisions')
        .values({ policy, number, state, etag: 1, fixed: fixedOf(revision), moving: movingOf(revision) })
        .execute();
      return { ok: true };
    });
  }

  override async revision(policy: string, number: number): Promise<PolicyRevision | null> {
    if (!Number.isSafeInteger(number)) return null;
    return await this.session.run((db) => readRevision(db, key('policy', policy), number));
  }

  override async revisions(policy: string, page: PageRequest): Promise<Page<PolicyRevision>> {
    const limit = pageLimit(page);
    const before = readCursor(page, ['number']);
    const rows = await this.session.run((db) => {
      const query = db.selectFrom('policy_revisions').selectAll().where('policy', '=', key('policy', policy));
      return (before === null ? query : query.where('number', '<', before[0]))
        .orderBy('number', 'desc')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(rows, limit, revisionOf, ({ number }) => [number]);
  }

  override async changeRevision(
    policy: string,
    number: number,
    change: RevisionChange,
    ifEtag: number,
  ): Promise<Compared<PolicyRevision>> {
    const id = key('policy', policy);
    return await this.session.atomically(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('policy_revisions')
        .set({ state: change.state, etag: ifEtag + 1, moving: movingOf(change) })
        .where('policy', '=', id)
        .where('number', '=', number)
        .where('etag', '=', ifEtag)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) {
        return { ok: false, reason: 'stale', current: await readRevision(db, id, number) };
      }
      if (change.state === 'active') await activate(db, id, number);
      else await deactivate(db, id, number);
      return { ok: true };
    });
  }

  override async liveRevisions(): Promise<readonly PolicyRevision[]> {
    const rows = await this.session.run((db) =>
      db
        .selectFrom('policy_revisions')
        .selectAll()
        .where('state', 'in', ['staged', 'active'])
        .orderBy('policy')
        .orderBy('number')
        .execute(),
    );
    return rows.map(revisionOf);
  }

  override async addComment(comment: PolicyComment): Promise<void> {
    const { id, policy, at } = comment;
    const values = {
      id: key('id', id),
      policy: key('policy', policy),
      at: key('at', at),
      body: toJson(comment),
    };
    await this.session.run(async (db) => {
      await requirePolicy(db, policy);
      await db.insertInto('policy_comments').values(values).execute();
    });
  }

  override async comments(policy: string, page: PageRequest): Promise<Page<PolicyComment>> {
    const limit = pageLimit(page);
    const after = readCursor(page, ['string', 'string']);
    const rows = await this.session.run((db) => {
      let query = db.selectFrom('policy_comments').selectAll().where('policy', '=', key('policy', policy));
      if (after !== null) {
        const [at, id] = after;
        query = query.where((build) =>
          build.or([build('at', '>', at), build.and([build('at', '=', at), build('id', '>', id)])]),
        );
      }
      return query
        .orderBy('at')
        .orderBy('id')
        .limit(limit + 1)
        .execute();
    });
    return pageOf(
      rows,
      limit,
      ({ body }) => fromJson<PolicyComment>(body),
      ({ at, id }) => [at, id],
    );
  }
}

async function requirePolicy(db: Database, id: string): Promise<void> {
  const row = await db.selectFrom('policies').select('id').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new WrongStackError('store.unknown_parent', 'there is no such policy');
}

async function readDraft(db: Database, policy: string): Promise<PolicyDraft | null> {
  const row = await db
    .selectFrom('policies')
    .select(['id', 'draft', 'draft_etag'])
    .where('id', '=', policy)
    .executeTakeFirst();
  return row === undefined ? null : draftOf(row);
}

async function readRevision(db: Database, policy: string, number: number): Promise<PolicyRevision | null> {
  const row = await db
    .selectFrom('policy_revisions')
    .selectAll()
    .where('policy', '=', policy)
    .where('number', '=', number)
    .executeTakeFirst();
  return row === undefined ? null : revisionOf(row);
}

async function newestRevision(db: Database, policy: string): Promise<PolicyRevision | null> {
  const row = await db
    .selectFrom('policy_revisions')
    .selectAll()
    .where('policy', '=', policy)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : revisionOf(row);
}

/** One at a time: whoever activates has superseded the one before. */
async function activate(db: Database, policy: string, number: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('policies')
    .set({ active_revision: number })
    .where('id', '=', policy)
    .where((build) => build.or([build('active_revision', 'is', null), build('active_revision', '=', number)]))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return;
  throw new WrongStackError(
    'store.conflict',
    'another revision of this policy is active: supersede it first',
  );
}

async function deactivate(db: Database, policy: string, number: number): Promise<void> {
  await db
    .updateTable('policies')
    .set({ active_revision: null })
    .where('id', '=', policy)
    .where('active_revision', '=', number)
    .execute();
}
