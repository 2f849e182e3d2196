import { WrongStackError } from '@wrongstack/contracts';
import type {
  AgentStore,
  DeviceEnrolment,
  EnrolmentDecided,
  EnrolmentUsed,
} from '@wrongstack/contracts/control';
import { fromJson, toJson } from '../json-column.js';
import { key } from '../keys.js';
import type { Database } from '../schema.js';

type Decision = Parameters<AgentStore['decideEnrolment']>[1];
type Refused = Exclude<EnrolmentDecided | EnrolmentUsed, { readonly ok: true }>;

interface Found {
  readonly enrolment: DeviceEnrolment;
  readonly etag: number;
}

export async function addEnrolment(db: Database, enrolment: DeviceEnrolment): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('device_enrolments')
    .values({
      device_hash: key('deviceHash', enrolment.deviceHash),
      user_code: key('userCode', enrolment.userCode),
      expires_at: key('expiresAt', enrolment.expiresAt),
      etag: 1,
      body: toJson(enrolment),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function readEnrolment(
  db: Database,
  column: 'user_code' | 'device_hash',
  value: string,
): Promise<Found | null> {
  const row = await db
    .selectFrom('device_enrolments')
    .select(['body', 'etag'])
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined ? null : { enrolment: fromJson<DeviceEnrolment>(row.body), etag: row.etag };
}

export async function decideEnrolment(
  db: Database,
  userCode: string,
  decision: Decision,
): Promise<EnrolmentDecided> {
  const { at, ...rest } = decision;
  const outcome = await move(db, 'user_code', userCode, (enrolment) => {
    if (enrolment.state.is !== 'pending') return 'already-decided';
    if (enrolment.expiresAt <= at) return 'expired';
    return { ...rest, at };
  });
  return outcome as EnrolmentDecided; // The reasons are those of the function above.
}

export async function useEnrolment(
  db: Database,
  device: string,
  agent: string,
  at: string,
): Promise<EnrolmentUsed> {
  const outcome = await move(db, 'device_hash', device, ({ state, expiresAt }) => {
    if (state.is === 'used') return 'already-used';
    if (expiresAt <= at) return 'expired';
    if (state.is !== 'approved') return state.is;
    return { is: 'used', by: state.by, at, agent };
  });
  return outcome as EnrolmentUsed; // The reasons are those of the function above.
}

/** One compare-and-set: where somebody was faster, what they left is looked at anew. */
async function move(
  db: Database,
  column: 'user_code' | 'device_hash',
  value: string,
  next: (enrolment: DeviceEnrolment) => DeviceEnrolment['state'] | Refused['reason'],
): Promise<Refused | { readonly ok: true; readonly enrolment: DeviceEnrolment }> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const found = await readEnrolment(db, column, value);
    if (found === null) return { ok: false, reason: 'unknown' };
    const state = next(found.enrolment);
    if (typeof state === 'string') return { ok: false, reason: state };
    const enrolment = { ...found.enrolment, state };
    const { numUpdatedRows } = await db
      .updateTable('device_enrolments')
      .set({ etag: found.etag + 1, body: toJson(enrolment) })
      .where('device_hash', '=', enrolment.deviceHash)
      .where('etag', '=', found.etag)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) return { ok: true, enrolment };
  }
  throw new WrongStackError('store.busy', 'the enrolment is being changed by others; try again');
}
