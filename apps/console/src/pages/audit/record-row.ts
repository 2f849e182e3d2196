import { objectIn, textIn } from '../../parts/json.js';
import type { AuditRecord } from './audit.js';
import { readDecision } from './decision-view.js';
import type { Verdict } from './verdicts.js';

/** What a list shows of a record. */
export interface RecordRow {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly verdict: Verdict | null;
  readonly tool: string;
  /** The command, or what was done to the control plane. */
  readonly what: string;
  readonly rule: string | null;
  readonly flagged: boolean;
}

export function rowOf({ seq, receivedAt, actor, flagged, entry }: AuditRecord): RecordRow {
  const { ts, kind, data } = entry;
  const decision = readDecision(entry);
  const by = objectIn(objectIn(entry['decision'])['by']);
  return {
    seq,
    at: textIn(ts) ?? receivedAt,
    kind: textIn(kind) ?? '?',
    actor,
    verdict: decision?.verdict ?? null,
    tool: decision?.tool ?? '',
    what: decision?.command ?? actionIn(data) ?? decision?.because ?? '',
    rule: textIn(by['kind']) === 'rule' ? textIn(by['id']) : null,
    flagged,
  };
}

/** `approval.decided ap-1`: what somebody did to the control plane itself. */
function actionIn(data: unknown): string | null {
  const { action, ...rest } = objectIn(data);
  if (typeof action !== 'string') return null;
  const words = Object.values(rest).filter((value) => typeof value === 'string' || typeof value === 'number');
  return [action, ...words].join(' ');
}
