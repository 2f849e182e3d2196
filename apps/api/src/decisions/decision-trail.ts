import { randomBytes } from 'node:crypto';
import type { AuditEntry, Decision } from '@wrongstack/contracts';
import { type AuditIdentity, auditIndexOf, type ControlStore } from '@wrongstack/contracts/control';
import { hashOf } from '../audit/read-entry.js';
import { auditIdentityOf, type Principal } from '../auth/principal.js';

/**
 * Decisions that were made here, in the organisation's chain. Like any other process that writes, this one has a chain of its own within
 * it; where an append fails, the next begins another, so that no record is ever in doubt.
 */
export class DecisionTrail {
  #chain = newChain();
  #seq = 0;
  #prev: string | null = null;

  constructor(private readonly store: Pick<ControlStore, 'audit'>) {}

  /** A decision about a call that somebody else runs: it belongs to no conversation of ours. Resolves when it is durable. */
  async record(by: Principal, call: AuditEntry['call'], decision: Decision, at: string): Promise<void> {
    const entry: AuditEntry = { kind: 'decision', ts: at, session: null, run: null, call, decision };
    await this.append(entry, auditIdentityOf(by), at);
  }

  /** `who`: as this server knows them. Resolves when it is durable. */
  async append(entry: AuditEntry, who: AuditIdentity, at: string): Promise<void> {
    const index = auditIndexOf(entry, who);
    const chain = this.#chain;
    const [seq, prev] = [this.#seq, this.#prev];
    const hash = hashOf(chain, seq, prev, entry);
    this.#seq = seq + 1;
    this.#prev = hash;
    try {
      await this.store.audit.append(
        { source: `control-plane/${chain}`, records: [{ seq, prev, hash, index, entry }] },
        at,
      );
    } catch (error) {
      if (this.#chain === chain) {
        this.#chain = newChain();
        this.#seq = 0;
        this.#prev = null;
      }
      throw error;
    }
  }
}

function newChain(): string {
  return `a-${randomBytes(10).toString('hex')}`;
}
