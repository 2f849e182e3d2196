import type { AuditFilter } from '@wrongstack/contracts/control';
import { plainText } from '@wrongstack/contracts/control';
import type { SelectQueryBuilder } from 'kysely';
import type { ControlSchema } from '../schema.js';

type AuditQuery<Output> = SelectQueryBuilder<ControlSchema, 'audit_records', Output>;

/** Text is compared as the index keeps it, so that what was cut or replaced there is still found by the original. */
export function filtered<Output>(query: AuditQuery<Output>, filter: AuditFilter): AuditQuery<Output> {
  const equal = {
    kind: filter.kind,
    actor: filter.actor,
    agent: filter.agent,
    team: filter.team,
    session: filter.session,
    tool: filter.tool,
    verdict: filter.verdict,
    rule: filter.rule,
    document: filter.document,
    source: filter.source,
  } as const;
  let built = query;
  for (const [column, value] of Object.entries(equal)) {
    // The names are those of the literal above, which are all columns.
    if (value !== undefined) built = built.where(column as keyof typeof equal, '=', plainText(value));
  }
  if (filter.revision !== undefined) built = built.where('revision', '=', filter.revision);
  if (filter.flagged === true) built = built.where('link', '<>', 'continues');
  if (filter.from !== undefined) built = built.where('at', '>=', plainText(filter.from));
  if (filter.to !== undefined) built = built.where('at', '<', plainText(filter.to));
  if (filter.afterSeq !== undefined) built = built.where('seq', '>', filter.afterSeq);
  if (filter.throughSeq !== undefined) built = built.where('seq', '<=', filter.throughSeq);
  return built;
}
