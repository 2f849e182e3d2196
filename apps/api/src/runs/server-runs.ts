import type { ControlParts } from '../control/open-control.js';
import type { ApiHost } from '../host/api-host.js';
import { RunExecutor } from './run-executor.js';
import { RunTender } from './run-tender.js';

/** Runs as an API has them: it looks after all of them, and executes them itself where there are no workers for that. */
export class ServerRuns {
  readonly tender: RunTender;
  readonly #executor: RunExecutor | null;

  constructor(
    private readonly host: ApiHost,
    { control, approvals }: ControlParts,
  ) {
    const { shared, runs, runQueue, log } = host;
    this.tender = new RunTender(control, runQueue, runs.patienceMs, log);
    this.#executor =
      runQueue.driver === 'local' ? new RunExecutor({ shared, control, approvals }, runs) : null;
  }

  start(): void {
    if (this.#executor !== null) this.host.runQueue.take(this.#executor.work, this.host.runs.atOnce);
    this.tender.start();
  }

  /** Nobody is kept waiting for news any more. */
  stop(): void {
    void this.tender.stop();
  }

  /** Before the store is closed: what runs here is ended, or handed back. */
  async close(graceMs: number): Promise<void> {
    await this.tender.stop();
    await this.host.runQueue.pause();
    await this.#executor?.close(graceMs);
  }
}
