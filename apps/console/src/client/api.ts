import createClient from 'openapi-fetch';
import { session } from '../session/session.js';
import type { paths } from './schema.js';
import { sender } from './send.js';

/** The API as its document describes it. An answer that is an error rejects with a `ProblemError`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sender(session) });

/** The body of an answer. Errors were thrown, so there is one; `undefined` where the API answers without a body. */
export async function body<T>(answer: Promise<{ readonly data?: T }>): Promise<T> {
  const { data } = await answer;
  // `sender` rejects whatever is no success.
  return data as T;
}
