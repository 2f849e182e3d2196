import type { Ability } from '../auth/role-abilities.js';

/** A JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** One possible answer. */
export interface Answer {
  readonly description: string;
  /** Missing = no body. */
  readonly schema?: Schema;
  readonly example?: unknown;
  /** Defaults to application/json. */
  readonly mediaType?: string;
}

/** Everything that is promised about one route: the guard, the validation and the OpenAPI document are made of it. */
export interface RouteContract {
  readonly summary: string;
  /** What the caller must be able to do; `signed-in`: be known; `public`: anybody at all. */
  readonly ability: Ability | 'signed-in' | 'public';
  /** The body's schema; bodies of routes without one are refused. */
  readonly body?: Schema;
  readonly bodyExample?: unknown;
  /** Query parameters by name; others are refused. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** What stands in the query is somebody else's business: a page of the console reads its own address. */
  readonly anyQuery?: true;
  readonly params?: Readonly<Record<string, Schema>>;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Problems beyond those that any route can answer: status → what it means. */
  readonly problems?: Readonly<Record<number, string>>;
  /**
   * `replay`: with an Idempotency-Key a repeated request gets the first answer again. `once`: it is refused, since the answer held a
   * secret. `own`: the handler sees to it. Missing = the route takes no key.
   */
  readonly idempotency?: 'replay' | 'once' | 'own';
  /** `if-match`: wants If-Match. `if-match-or-new`: that, or `If-None-Match: *` for what is not there yet; the handler sees to it. */
  readonly concurrency?: 'if-match' | 'if-match-or-new';
}
