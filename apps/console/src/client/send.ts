import { connection } from './connection.js';
import { away, ProblemError, problemIn } from './problem.js';

/** What a request needs of the session, so that this file knows nothing of dialogs. */
export interface Credentials {
  /** Sent with whatever changes something; null before anybody has signed in. */
  csrf(): string | null;
  /** The session is over. Resolves with true as soon as somebody has signed in again, with false if they would not. */
  renewed(error: ProblemError): Promise<boolean>;
  /** Another tab has another session by now. Resolves with true if there is a new csrf word. */
  refreshed(): Promise<boolean>;
}

const SAFE = new Set(['GET', 'HEAD']);

/**
 * Sends a request, and once more where the session ran out meanwhile and the person has signed in again: what they had typed goes
 * through. Every answer that is an error rejects with a `ProblemError`.
 */
export function sender(credentials: Credentials): (request: Request) => Promise<Response> {
  async function once(request: Request): Promise<Response> {
    const csrf = SAFE.has(request.method) ? null : credentials.csrf();
    if (csrf !== null) request.headers.set('x-wrongstack-csrf', csrf);
    const response = await fetch(request).catch((error: unknown) => {
      if (request.signal.aborted) throw error;
      connection.failed();
      throw away();
    });
    if (response.ok || response.status === 304) {
      connection.answered();
      return response;
    }
    const problem = await problemIn(response);
    if (problem.code === 'api.away') connection.failed();
    else connection.answered();
    throw problem;
  }
  return async (request) => {
    const again = request.clone();
    try {
      return await once(request);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const helped =
        error.status === 401
          ? await credentials.renewed(error)
          : error.code === 'session.csrf' && (await credentials.refreshed());
      if (!helped) throw error;
      return once(again);
    }
  };
}
