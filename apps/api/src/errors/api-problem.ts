/** An answer that is an error, as application/problem+json. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    /** Stable; what callers match. */
    readonly code: string,
    message: string,
    /** Fields that do not fit, where it is about several. */
    readonly problems: readonly { readonly path: string; readonly message: string }[] = [],
    /** Further headers of the answer: `retry-after`, `etag`. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** Further members of the body: `current`. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
