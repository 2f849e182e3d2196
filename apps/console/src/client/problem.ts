import type { components } from './schema.js';

export type Problem = components['schemas']['Problem'];

/** An answer of the API that is an error, or none at all: `api.away`. */
export class ProblemError extends Error {
  constructor(
    readonly problem: Problem,
    /** Seconds to wait, where the API said so. */
    readonly retryAfter: number | null = null,
    /** Members beside those of every problem: the version that somebody else saved. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(problem.detail);
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** Nobody answered, or something before the API did. */
export function away(): ProblemError {
  return new ProblemError({
    type: 'about:blank',
    title: 'No answer',
    status: 0,
    code: 'api.away',
    detail: 'the API did not answer',
  });
}

/** What an answer with an error status says. A proxy answers in words of its own: those are not shown. */
export async function problemIn(response: Response): Promise<ProblemError> {
  const text = await response.text().catch(() => '');
  const body = parsed(text);
  const wait = Number(response.headers.get('retry-after'));
  const retryAfter = Number.isFinite(wait) && wait > 0 ? wait : null;
  if (isProblem(body)) return new ProblemError(body, retryAfter, { ...body });
  if (response.status >= 502 && response.status <= 504) return away();
  return new ProblemError({
    type: 'about:blank',
    title: 'Error',
    status: response.status,
    code: `http.${response.status}`,
    detail: `the answer was ${response.status}, and no word of the API's`,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function isProblem(value: unknown): value is Problem & Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return (
    typeof Reflect.get(value, 'code') === 'string' &&
    typeof Reflect.get(value, 'detail') === 'string' &&
    typeof Reflect.get(value, 'status') === 'number'
  );
}
