import type { AuditEntry } from '../audit.js';
import type { AuditIndex } from './audit-records.js';

/** Whom the server knows to have shipped it; what an entry says about itself is only a claim. */
export interface AuditIdentity {
  readonly actor: string | null;
  readonly agent: string | null;
  readonly team: string | null;
}

/** What an entry is searched by. */
export function auditIndexOf(entry: AuditEntry, who: AuditIdentity): AuditIndex {
  const decision = entry.decision;
  const rule = decision?.by.kind === 'rule' ? decision.by : null;
  return {
    kind: entry.kind,
    at: entry.ts,
    actor: who.actor,
    agent: who.agent,
    team: who.team,
    session: entry.session,
    tool: decision?.facts.tool ?? null,
    verdict: decision?.verdict ?? null,
    rule: rule?.id ?? null,
    document: rule?.document ?? null,
    revision: rule?.revision ?? null,
  };
}

const MAX_CHARACTERS = 512;

/** The index as stores keep it: every database can hold its text, and index it. */
export function plainIndex(index: AuditIndex): AuditIndex {
  return {
    kind: index.kind,
    at: plainText(index.at),
    actor: index.actor === null ? null : plainText(index.actor),
    agent: index.agent === null ? null : plainText(index.agent),
    team: index.team === null ? null : plainText(index.team),
    session: index.session === null ? null : plainText(index.session),
    tool: index.tool === null ? null : plainText(index.tool),
    verdict: index.verdict,
    rule: index.rule === null ? null : plainText(index.rule),
    document: index.document === null ? null : plainText(index.document),
    revision: index.revision,
  };
}

/** Well-formed, without NUL, at most 512 characters. */
export function plainText(text: string): string {
  const cut = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  // With the `u` flag a surrogate in these classes is one that stands alone.
  return cut.replace(/[\0\ud800-\udfff]/gu, '\ufffd');
}
