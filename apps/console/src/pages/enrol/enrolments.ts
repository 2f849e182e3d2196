import { api, body } from '../../client/api.js';
import type { operations } from '../../client/schema.js';

export type Enrolment = operations['enrolmentsShow']['responses'][200]['content']['application/json'];

export const enrolmentKey = (code: string): readonly unknown[] => ['enrolment', code];

export async function enrolment(userCode: string, signal: AbortSignal): Promise<Enrolment> {
  return body(api.GET('/v1/enrolments/{userCode}', { params: { path: { userCode } }, signal }));
}

/** `team`: which of the person's it acts for; null = they have none. */
export async function decide(userCode: string, approve: boolean, team: string | null): Promise<Enrolment> {
  const params = { path: { userCode } };
  const change = { approve, ...(team === null ? {} : { team }) };
  return body(api.POST('/v1/enrolments/{userCode}/decision', { params, body: change }));
}
