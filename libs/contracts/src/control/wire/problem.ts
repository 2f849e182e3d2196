import { open, text, whole } from './schema-parts.js';

/** Every error: `application/problem+json`. Clients match `code`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

export const problemSchema = open({
  type: text(500),
  title: text(200),
  status: whole(400, 599),
  code: text(100),
  detail: text(4000, 0),
});
