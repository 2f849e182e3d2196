import { randomUUID } from 'node:crypto';
import { type AuditEntry, canonicalJson } from '@wrongstack/contracts';
import { auditIndexOf, chainHash, type ControlPorts, EMPTY_AUDIT_HEAD } from '@wrongstack/contracts/control';
import { auditIdentityOf, type Principal } from '../auth/principal.js';

/**
 * What somebody did to the control plane itself, in the same chain as the decisions, and in the same transaction as the deed: what is
 * not written down has not happened. `data`: names and numbers, never a secret or a payload.
 */
export async function recordAction(
  tx: Pick<ControlPorts, 'audit'>,
  by: Pick<Principal, 'user' | 'kind' | 'id' | 'teams'>,
  action: string,
  data: Readonly<Record<string, unknown>>,
  at: string,
): Promise<void> {
  const entry: AuditEntry = {
    kind: 'note',
    ts: at,
    session: null,
    run: null,
    call: null,
    data: { action, ...data },
  };
  const index = auditIndexOf(entry, auditIdentityOf(by));
  const hash = chainHash(EMPTY_AUDIT_HEAD.hash, canonicalJson(entry));
  // A source of its own each: replicas need not agree on a counter, and the organisation's chain orders them.
  const source = `control-plane/${randomUUID()}`;
  await tx.audit.append({ source, records: [{ seq: 0, prev: null, hash, index, entry }] }, at);
}

/** The server itself, where nobody asked: an automatic halt, an expiry. */
export const THE_SERVER = { user: 'control-plane', kind: 'service', id: 'control-plane', teams: [] } as const;
