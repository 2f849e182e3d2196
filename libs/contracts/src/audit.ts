import type { Decision } from './decision.js';
import type { CallId, RunId, SessionId } from './ids.js';

export interface AuditEntry {
  readonly kind: 'decision' | 'recheck' | 'approval' | 'outcome' | 'grant' | 'gap' | 'note';
  readonly ts: string;
  readonly session: SessionId | null;
  readonly run: RunId | null;
  readonly call: CallId | null;
  readonly decision?: Decision;
  /** Small and already scrubbed; never a payload. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Append-only, hash-chained. `append` resolves when the record is durable and rejects when it is not. */
export abstract class AuditLog {
  abstract append(entry: AuditEntry): Promise<void>;
}
