import { type AuditEntry, AuditLog, type CallId } from '@wrongstack/contracts';
import type { AuditIdentity } from '@wrongstack/contracts/control';
import type { DecisionTrail } from '../decisions/decision-trail.js';
import { NO_AGENT } from '../tools/governed-calls.js';

const MOST_CALLS = 10_000;
const NOBODY: AuditIdentity = { actor: null, agent: null, team: null };

/**
 * What this server decides about calls that it runs itself: in its own chained log, as on any machine, and in the organisation's chain,
 * where auditors look. The control plane is attached before anything is served; a worker has none.
 */
export class ServerAudit extends AuditLog {
  #trail: DecisionTrail | null = null;
  readonly #callers = new Map<CallId, AuditIdentity>();

  constructor(private readonly own: AuditLog) {
    super();
  }

  attach(trail: DecisionTrail): void {
    this.#trail = trail;
  }

  override async append(entry: AuditEntry): Promise<void> {
    await this.own.append(entry);
    await this.#trail?.append(entry, this.#callerOf(entry), entry.ts);
  }

  /** Who acts stands in the decision, from our own guard; what follows it belongs to the same call. */
  #callerOf({ call, decision }: AuditEntry): AuditIdentity {
    if (call === null) return NOBODY;
    if (decision === undefined) return this.#callers.get(call) ?? NOBODY;
    const { user, agent, team } = decision.facts.actor;
    const named = agent === null || agent.name === NO_AGENT ? null : agent.name;
    const caller = { actor: user?.name ?? null, agent: named, team: team?.name ?? null };
    const [oldest] = this.#callers.keys();
    if (this.#callers.size >= MOST_CALLS && oldest !== undefined) this.#callers.delete(oldest);
    this.#callers.set(call, caller);
    return caller;
  }
}
