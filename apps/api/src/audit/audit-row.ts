import { VERDICTS } from '@wrongstack/contracts';
import { AUDIT_KINDS, type ChainedRecord } from '@wrongstack/contracts/control';
import { parts } from '@wrongstack/contracts/wire';

const LONGEST_SUMMARY = 300;
const { flag, oneOf, open, orNull, text, whole } = parts;
const TEXT = { type: 'string' } as const;

/** A record as one line of a long list. */
export interface AuditRow extends Omit<ChainedRecord['index'], 'agent'> {
  readonly seq: number;
  readonly flagged: boolean;
  /** The command, the path, what was done; empty where the record says nothing of the kind. */
  readonly summary: string;
}

export const AUDIT_ROW = open({
  seq: whole(1),
  at: { ...TEXT, description: 'The entry’s own time.' },
  kind: oneOf(...AUDIT_KINDS),
  actor: orNull(TEXT),
  team: orNull(TEXT),
  session: orNull(TEXT),
  tool: orNull(TEXT),
  verdict: orNull(oneOf(...VERDICTS)),
  rule: { ...orNull(TEXT), description: 'The rule that decided.' },
  document: orNull(TEXT),
  revision: orNull(whole(0)),
  flagged: { ...flag, description: 'It did not continue its chain.' },
  summary: { ...text(LONGEST_SUMMARY, 0), description: 'The command, the path, or what was done.' },
});

export function auditRow({ seq, link, index, entry }: ChainedRecord): AuditRow {
  const { at, kind, actor, team, session, tool, verdict, rule, document, revision } = index;
  return {
    ...{ seq, at, kind, actor, team, session, tool, verdict, rule, document, revision },
    flagged: link !== 'continues',
    summary: summaryOf(entry).slice(0, LONGEST_SUMMARY),
  };
}

/** Clients of any version wrote it: each step is looked at before it is taken. */
function summaryOf(entry: unknown): string {
  const facts = member(member(entry, 'decision'), 'facts');
  const found = [
    member(member(facts, 'command'), 'text'),
    member(member(member(facts, 'paths'), '0'), 'relative'),
    member(member(member(facts, 'hosts'), '0'), 'host'),
    member(member(entry, 'data'), 'action'),
    member(member(entry, 'data'), 'outcome'),
  ];
  return found.find((one): one is string => typeof one === 'string' && one !== '') ?? '';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
