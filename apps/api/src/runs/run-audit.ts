import { type AuditEntry, AuditLog, isoNow } from '@wrongstack/contracts';
import { DecisionTrail } from '../decisions/decision-trail.js';
import { auditIdentityOf, type Principal } from '../auth/principal.js';
import type { ControlPlane } from '../control/control-plane.js';
import { whileAway } from './while-away.js';

/**
 * Decisions and outcomes of one run, in the organisation's chain before anything runs. While the database is away a call waits for it, as
 * long as the run itself goes on; after that it is for the policy to say what becomes of calls that cannot be recorded.
 */
export class RunAudit extends AuditLog {
  readonly #trail: DecisionTrail;

  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'clock'>,
    private readonly by: Principal,
    private readonly signal: AbortSignal,
  ) {
    super();
    this.#trail = new DecisionTrail(control.store);
  }

  override async append(entry: AuditEntry): Promise<void> {
    const who = auditIdentityOf(this.by);
    await whileAway(() => this.#trail.append(entry, who, isoNow(this.control.clock)), this.signal);
  }
}
