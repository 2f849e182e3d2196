import { type Clock, codeOf, type Logger, messageOf } from '@wrongstack/contracts';
import type { ControlStore, PolicyRevision } from '@wrongstack/contracts/control';
import { THE_SERVER } from '../control/action-trail.js';
import { takeTurn } from '../control/lease.js';
import { readSettings } from '../identity/settings.js';
import { denialSpike } from './denial-spike.js';
import { rolloutTallies } from './rollout-tallies.js';
import { SteerRollout } from './steer-rollout.command.js';

const CHECK_EVERY_MS = 60_000;

interface Parts {
  readonly store: ControlStore;
  readonly clock: Clock;
}

type Halt = (command: SteerRollout) => Promise<PolicyRevision>;

/** Takes a staged revision back, without anybody asking, when those who have it are suddenly denied much more. One replica checks at a time. */
export class RolloutWatch {
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;

  constructor(
    private readonly parts: Parts,
    private readonly halt: Halt,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#checking ??= this.#tick().finally(() => {
        this.#checking = null;
      });
    }, CHECK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#checking;
  }

  async #tick(): Promise<void> {
    try {
      const { store, clock } = this.parts;
      if (await takeTurn(store, 'rollout-watch', clock.now(), CHECK_EVERY_MS)) await this.check();
    } catch (error) {
      this.log.warn('could not check rollouts', { because: messageOf(error) });
    }
  }

  /** Looks at every staged revision once. */
  async check(): Promise<void> {
    const { store } = this.parts;
    const { value } = await readSettings(store);
    if (value.haltOnDenials === null) return;
    const revisions = (await store.policies.liveRevisions()).filter(({ state }) => state === 'staged');
    for (const revision of revisions) {
      const policy = await store.policies.get(revision.policy);
      if (policy === null) continue;
      const now = this.parts.clock.now();
      const { staged, before, others } = await rolloutTallies(store.audit, policy, revision, now);
      const because = denialSpike(staged, [before, others], value.haltOnDenials);
      if (because !== null) await this.#halt(revision, because);
    }
  }

  async #halt({ policy, number }: PolicyRevision, because: string): Promise<void> {
    try {
      await this.halt(new SteerRollout(THE_SERVER, policy, number, { to: 'halt', because }));
      this.log.warn('a rollout was halted', { policy, revision: number, because });
    } catch (error) {
      // Somebody steered it meanwhile: what it is now is looked at the next time.
      this.log.warn('a rollout could not be halted', { policy, revision: number, code: codeOf(error) });
    }
  }
}
