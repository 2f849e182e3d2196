import { WrongStackError } from '@wrongstack/contracts';
import type {
  AnswerOutcome,
  ApprovalAnswer,
  ApprovalFilter,
  ApprovalRequest,
  ApprovalState,
  Page,
  PageRequest,
  UseOutcome,
} from '@wrongstack/contracts/control';
import { ApprovalStore } from '@wrongstack/contracts/control';
import type { ExpressionBuilder } from 'kysely';
import { fromJson, toJson } from '../json-column.js';
import { key, keyOrNull } from '../keys.js';
import { insertedNew, newestFirst } from '../records.js';
import type { ControlSchema, Database } from '../schema.js';
import type { StoreSession } from '../store-session.js';
import type { Transition } from './approval-transitions.js';
import { answered, asOf, used, withdrawn } from './approval-transitions.js';

type Fixed = Omit<ApprovalRequest, 'state' | 'answers' | 'etag'>;
type Moving = Pick<ApprovalRequest, 'state' | 'answers'>;

const EXPIRED_AT_ONCE = 1_000;
const OPEN_STATES = ['pending', 'approved'] as const;

export class KyselyApprovalStore extends ApprovalStore {
  constructor(private readonly session: StoreSession) {
    super();
  }

  override async add(request: Fixed): Promise<boolean> {
    const moving: Moving = { state: { is: 'pending' }, answers: [] };
    const values = {
      id: key('id', request.id),
      state: moving.state.is,
      requester: key('requester', request.requester),
      team: keyOrNull('team', request.team),
      digest: key('digest', request.digest),
      created_at: key('createdAt', request.createdAt),
      expires_at: key('expiresAt', request.expiresAt),
      etag: 1,
      fixed: toJson(request),
      moving: toJson(moving),
    };
    return await this.session.run((db) => insertedNew(db.insertInto('approvals').values(values)));
  }

  override async get(id: string, at: string): Promise<ApprovalRequest | null> {
    return await this.session.run((db) => readRequest(db, key('id', id), at));
  }

  override async list(filter: ApprovalFilter, page: PageRequest, at: string): Promise<Page<ApprovalRequest>> {
    const now = key('at', at);
    return await this.session.run((db) => {
      let query = db.selectFrom('approvals').selectAll();
      const { state, requester, team, digest } = filter;
      if (state !== undefined) query = query.where((build) => isInState(build, state, now));
      if (requester !== undefined) query = query.where('requester', '=', key('requester', requester));
      if (team !== undefined) query = query.where('team', '=', key('team', team));
      if (digest !== undefined) query = query.where('digest', '=', key('digest', digest));
      return newestFirst(query, page, (row) => asOf(requestOf(row), at));
    });
  }

  override async answer(id: string, answer: ApprovalAnswer): Promise<AnswerOutcome> {
    return await this.session.run((db) => move(db, id, answer.at, (request) => answered(request, answer)));
  }

  override async withdraw(id: string, by: string, at: string): Promise<AnswerOutcome> {
    return await this.session.run((db) => move(db, id, at, (request) => withdrawn(request, by, at)));
  }

  override async use(id: string, digest: string, by: string, at: string): Promise<UseOutcome> {
    return await this.session.run((db) => move(db, id, at, (request) => used(request, digest, by, at)));
  }

  override async expire(at: string): Promise<readonly ApprovalRequest[]> {
    return await this.session.atomically(async (db) => {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        .where('state', 'in', OPEN_STATES)
        .where('expires_at', '<=', key('at', at))
        .orderBy('id')
        .limit(EXPIRED_AT_ONCE)
        .execute();
      const expired: ApprovalRequest[] = [];
      for (const row of rows) {
        const request = asOf(requestOf(row), at);
        // Somebody else may be writing the same down: it is given to one of them.
        if (await write(db, request)) expired.push({ ...request, etag: request.etag + 1 });
      }
      return expired;
    });
  }

  override async counts(at: string): Promise<Readonly<Record<ApprovalState['is'], number>>> {
    const now = key('at', at);
    const rows = await this.session.run((db) =>
      db
        .selectFrom('approvals')
        .select((build) => [
          build
            .case()
            .when(build.and([build('state', 'in', OPEN_STATES), build('expires_at', '<=', now)]))
            .then('expired')
            .else(build.ref('state'))
            .end()
            .as('is'),
          build.fn.countAll<number>().as('count'),
        ])
        .groupBy('is')
        .execute(),
    );
    const counted = { pending: 0, approved: 0, rejected: 0, withdrawn: 0, expired: 0, used: 0 };
    // The column holds these states alone.
    return Object.assign(counted, Object.fromEntries(rows.map((row) => [row.is, row.count])));
  }
}

function isInState(
  build: ExpressionBuilder<ControlSchema, 'approvals'>,
  state: ApprovalState['is'],
  at: string,
): ReturnType<typeof build.or> {
  const isOver = build.and([build('state', 'in', OPEN_STATES), build('expires_at', '<=', at)]);
  if (state === 'expired') return build.or([build('state', '=', state), isOver]);
  return build.and([build('state', '=', state), build.not(isOver)]);
}

function requestOf(row: ControlSchema['approvals']): ApprovalRequest {
  return { ...fromJson<Fixed>(row.fixed), ...fromJson<Moving>(row.moving), etag: row.etag };
}

async function readRequest(db: Database, id: string, at: string): Promise<ApprovalRequest | null> {
  const row = await db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : asOf(requestOf(row), at);
}

/** One compare-and-set: where somebody was faster, what they left is looked at anew. */
async function move<Refused extends string>(
  db: Database,
  id: string,
  at: string,
  next: (request: ApprovalRequest) => Transition<Refused>,
): Promise<
  | { readonly ok: true; readonly request: ApprovalRequest }
  | { readonly ok: false; readonly reason: Refused; readonly request: ApprovalRequest }
  | { readonly ok: false; readonly reason: 'unknown' }
> {
  // Each turn that is lost is a change by somebody else, and a request takes few.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const request = await readRequest(db, key('id', id), at);
    if (request === null) return { ok: false, reason: 'unknown' };
    const transition = next(request);
    if ('refuse' in transition) return { ok: false, reason: transition.refuse, request };
    const moved = { ...request, ...transition.move };
    if (await write(db, moved)) return { ok: true, request: { ...moved, etag: moved.etag + 1 } };
  }
  throw new WrongStackError('store.busy', 'the request is being changed by others; try again');
}

/** False where the request is not any more what it was when it was read. */
async function write(db: Database, { id, etag, state, answers }: ApprovalRequest): Promise<boolean> {
  const moving: Moving = { state, answers };
  const { numUpdatedRows } = await db
    .updateTable('approvals')
    .set({ state: state.is, moving: toJson(moving), etag: etag + 1 })
    .where('id', '=', id)
    .where('etag', '=', etag)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
