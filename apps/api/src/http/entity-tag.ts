import { ApiProblem } from '../errors/api-problem.js';

/** The ETag of something that has a number which grows with each change. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The number in an If-Match that somebody sent. A weak tag, a list or `*` does not name what was read. */
export function versionIn(ifMatch: string): number {
  const version = /^"(\d{1,15})"$/.exec(ifMatch)?.[1];
  if (version === undefined)
    throw new ApiProblem(
      400,
      'request.if_match_invalid',
      'If-Match must be the ETag that was read, as it is',
    );
  return Number(version);
}

/** Somebody was quicker. The answer carries the tag that is current, so that the caller can read and merge. */
export function preconditionFailed(what: string, current: number): ApiProblem {
  return new ApiProblem(
    412,
    'request.changed_meanwhile',
    `${what} was changed meanwhile: read it again, merge, and send its new ETag`,
    [],
    { etag: entityTag(current) },
  );
}
