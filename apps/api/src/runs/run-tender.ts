import { isoNow, type Logger, messageOf, type RunId } from '@wrongstack/contracts';
import type { RunQueue, ServerRun, ServerRunState } from '@wrongstack/contracts/control';
import type { ControlPlane } from '../control/control-plane.js';
import { RunLedger } from './run-ledger.js';
import { bookOf, type RunBook } from './run-record.js';
import { giveUp, goOn, offerOf } from './run-transitions.js';

const LOOK_EVERY_MS = 1_000;
/** An offer that nobody took by then is made again: Redis may have lost it. */
const OFFER_AGAIN_MS = 10_000;
const PAGE = 200;

interface Seen {
  readonly holder: NonNullable<RunBook['holder']>;
  readonly at: number;
}

/**
 * Looks after runs, in each replica of the API: offers what waits, lets go on what waited for an approval that was decided, and ends what
 * nobody executes any more. Several may do so at once: each step is taken once, in the store.
 */
export class RunTender {
  readonly #ledger: RunLedger;
  readonly #offered = new Map<string, number>();
  readonly #seen = new Map<RunId, Seen>();
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #lookedAt = performance.now();

  constructor(
    private readonly control: Pick<ControlPlane, 'store' | 'clock'>,
    private readonly queue: RunQueue,
    private readonly patienceMs: number,
    private readonly log: Logger,
  ) {
    this.#ledger = new RunLedger(control);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  /** Aborts when this process ends: those who follow a run come back to another one. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
  }

  /** Never rejects: the next look tries again. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.log.warn('could not look after runs', { because: messageOf(error) }))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** One that was just queued. That the queue is away is no matter: it is offered again. */
  async offer(run: ServerRun): Promise<void> {
    const offer = offerOf(run, bookOf(run));
    this.#offered.set(`${offer.run} ${offer.attempt}`, performance.now());
    try {
      await this.queue.offer(offer);
    } catch (error) {
      this.log.warn('a run waits for the queue', { run: run.id, because: messageOf(error) });
    }
  }

  async #look(): Promise<void> {
    const now = performance.now();
    // The store was away, or this process slept: that others gave no sign of life meanwhile says nothing about them.
    if (now - this.#lookedAt > this.patienceMs / 2) this.#seen.clear();
    const waiting = new Set<string>();
    await this.#each('queued', async (run) => {
      const { attempt } = bookOf(run);
      const name = `${run.id} ${attempt}`;
      waiting.add(name);
      if (now - (this.#offered.get(name) ?? Number.NEGATIVE_INFINITY) > OFFER_AGAIN_MS) await this.offer(run);
    });
    for (const name of this.#offered.keys()) if (!waiting.has(name)) this.#offered.delete(name);
    await this.#each('parked', (run) => this.#mayGoOn(run));
    const running = new Set<RunId>();
    await this.#each('running', async (run) => {
      running.add(run.id);
      await this.#lives(run, now);
    });
    for (const id of this.#seen.keys()) if (!running.has(id)) this.#seen.delete(id);
    this.#lookedAt = performance.now();
  }

  async #mayGoOn({ id, result }: ServerRun): Promise<void> {
    const at = isoNow(this.control.clock);
    for (const approval of bookOf({ result }).waitsFor) {
      const request = await this.control.store.approvals.get(approval, at);
      const state = request?.state.is ?? 'gone';
      if (state === 'pending') continue;
      const stepped = await this.#ledger.step(id, goOn(`approval ${approval} is ${state}`));
      if (stepped !== null) await this.offer(stepped.run);
      return;
    }
  }

  /** Judged by the time that passes here, so that no two clocks must agree. */
  async #lives(run: ServerRun, now: number): Promise<void> {
    const { holder } = bookOf(run);
    if (holder === null) return;
    const seen = this.#seen.get(run.id);
    if (seen?.holder.id !== holder.id || seen.holder.beat !== holder.beat) {
      this.#seen.set(run.id, { holder, at: now });
    } else if (now - seen.at > this.patienceMs) {
      await this.#ledger.step(run.id, giveUp(holder, isoNow(this.control.clock)));
    }
  }

  async #each(state: ServerRunState, work: (run: ServerRun) => Promise<void>): Promise<void> {
    for (let cursor: string | null = null; ;) {
      const page: { readonly items: readonly ServerRun[]; readonly next: string | null } =
        await this.control.store.runs.list({ state }, { limit: PAGE, cursor });
      for (const run of page.items) await work(run);
      if (page.next === null) return;
      cursor = page.next;
    }
  }
}
