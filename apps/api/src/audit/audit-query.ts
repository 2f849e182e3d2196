import { VERDICTS } from '@wrongstack/contracts';
import { AUDIT_KINDS, type AuditFilter, type ChainedRecord } from '@wrongstack/contracts/control';
import type { AuditRecordView } from '@wrongstack/contracts/wire';
import type { Schema } from '../http/route-contract.js';

const TEXT: Schema = { type: 'string', minLength: 1, maxLength: 512 };
const TIME: Schema = { type: 'string', format: 'date-time' };

/** What records can be narrowed down by. All that are given must hold. */
export const AUDIT_QUERY = {
  kind: { enum: AUDIT_KINDS },
  ...{ actor: TEXT, agent: TEXT, team: TEXT, session: TEXT, tool: TEXT, rule: TEXT, document: TEXT },
  verdict: { enum: VERDICTS },
  revision: { type: 'integer', minimum: 1 },
  flagged: { type: 'boolean', description: 'Only records that did not continue their chain.' },
  from: { ...TIME, description: 'Inclusive, by the entry’s own time.' },
  to: { ...TIME, description: 'Exclusive.' },
} as const satisfies Readonly<Record<string, Schema>>;

export interface AuditQuery extends Omit<AuditFilter, 'flagged' | 'source' | 'afterSeq' | 'throughSeq'> {
  readonly flagged?: boolean;
}

export function filterOf(query: AuditQuery): AuditFilter {
  const { kind, actor, agent, team, session, tool, rule, document, verdict, revision, flagged, from, to } =
    query;
  const wanted = { kind, actor, agent, team, session, tool, rule, document, verdict, revision };
  return {
    ...(Object.fromEntries(
      Object.entries(wanted).filter(([, value]) => value !== undefined),
      // The members of `wanted`, without those that are not there.
    ) as Partial<typeof wanted> as AuditFilter),
    ...(flagged === true ? { flagged } : {}),
    ...(from === undefined ? {} : { from: plainTime(from) }),
    ...(to === undefined ? {} : { to: plainTime(to) }),
  };
}

/** As the index has it: UTC with milliseconds, whatever zone somebody asked in. */
function plainTime(text: string): string {
  return new Date(text).toISOString();
}

export function recordView({
  seq,
  hash,
  source,
  sourceSeq,
  index,
  receivedAt,
  link,
  entry,
}: ChainedRecord): AuditRecordView {
  return {
    ...{ seq, hash, source, sourceSeq, receivedAt },
    actor: index.actor ?? 'unknown',
    flagged: link !== 'continues',
    entry,
  };
}
