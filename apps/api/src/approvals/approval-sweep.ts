import { isoNow, type Logger, messageOf } from '@wrongstack/contracts';
import type { ApprovalRequest } from '@wrongstack/contracts/control';
import { recordAction, THE_SERVER } from '../control/action-trail.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { ApprovalWatch } from './approval-watch.js';

const SWEEP_EVERY_MS = 10_000;

/**
 * Writes down which requests have run out, so that it stands in the log and those who wait hear of it. Nothing depends on when:
 * a request past its end is expired wherever it is read.
 */
export class ApprovalSweep {
  #timer: NodeJS.Timeout | null = null;
  #sweeping = false;

  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'clock'>,
    private readonly watch: ApprovalWatch,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => void this.sweep(), SWEEP_EVERY_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** How many ran out. Never rejects: the next sweep tries again. */
  async sweep(): Promise<number> {
    if (this.#sweeping) return 0;
    this.#sweeping = true;
    const at = isoNow(this.control.clock);
    try {
      const expired = await this.control.store.transaction(async (tx) => {
        const requests = await tx.approvals.expire(at);
        for (const { id } of requests)
          await recordAction(tx, THE_SERVER, 'approval.expired', { approval: id }, at);
        return requests;
      });
      // One that was approved and never used had ended before.
      const ended = expired.filter(({ answers, needed }) => yeses(answers) < needed);
      if (expired.length > 0) this.watch.changed(ended);
      return expired.length;
    } catch (error) {
      this.log.warn('could not write down what has expired', { because: messageOf(error) });
      return 0;
    } finally {
      this.#sweeping = false;
    }
  }
}

function yeses(answers: ApprovalRequest['answers']): number {
  return answers.filter(({ answer }) => answer === 'approve').length;
}
