import { type Clock, codeOf, isoNow, type Logger, messageOf } from '@wrongstack/contracts';
import type { ControlStore, ReplayJob } from '@wrongstack/contracts/control';
import type { ReplayPiece, ReplayWork } from './replay-work.js';
import type { ReplayPlayer } from './replay-thread.js';

/** How often a replica looks whether a replay waits. */
const LOOK_EVERY_MS = 1_000;
/** Progress is written this often, which is also the sign of life. */
const WRITE_EVERY_MS = 500;
/** One whose tag has not moved for so long has lost its replica. */
const PATIENCE_MS = 30_000;
const MOST_TEAMS = 1_000;
const LOOKED_AT = 20;

interface Parts {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly organisation: string;
}

/**
 * Plays what waits, one replay at a time a replica. The job's row is all there is: whoever moves its tag from `queued` has it, each progress
 * is a compare-and-set, and a replica that has lost its job, or whose job was cancelled, learns it there and stops.
 */
export class ReplayRunner {
  #timer: NodeJS.Timeout | null = null;
  #playing: Promise<void> | null = null;
  readonly #stopped = new AbortController();
  /** Tags of others' jobs, and since when they are the same; by the clock of this process alone. */
  readonly #seen = new Map<string, { readonly etag: number; readonly since: number }>();

  constructor(
    private readonly parts: Parts,
    private readonly play: ReplayPlayer,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    this.look();
  }

  /** Stops what plays here, so that another one can go on with it. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopped.abort();
    await this.#playing;
  }

  /** There may be something to do. */
  look(): void {
    if (this.#stopped.signal.aborted) return;
    this.#playing ??= this.#lookOnce().finally(() => {
      this.#playing = null;
    });
  }

  async #lookOnce(): Promise<void> {
    try {
      for (let job = await this.#next(); job !== null; job = await this.#next()) await this.#playJob(job);
    } catch (error) {
      this.log.warn('could not look for replays', { because: messageOf(error) });
    }
  }

  /** Takes one, or null where there is none to take. */
  async #next(): Promise<ReplayJob | null> {
    const { store } = this.parts;
    if (this.#stopped.signal.aborted) return null;
    const jobs = await store.replays.unfinished(LOOKED_AT);
    for (const id of this.#seen.keys()) if (!jobs.some((job) => job.id === id)) this.#seen.delete(id);
    for (const job of jobs) {
      if (job.state === 'running' && !this.#isAbandoned(job)) continue;
      const taken: ReplayJob = { ...job, state: 'running' };
      if ((await store.replays.change(taken, job.etag)).ok) return { ...taken, etag: job.etag + 1 };
    }
    return null;
  }

  #isAbandoned({ id, etag }: ReplayJob): boolean {
    // One process has the file: what runs and does not run here runs nowhere.
    if (this.parts.store.kind === 'sqlite') return true;
    const now = performance.now();
    const seen = this.#seen.get(id);
    if (seen?.etag === etag) return now - seen.since > PATIENCE_MS;
    this.#seen.set(id, { etag, since: now });
    return false;
  }

  async #playJob(taken: ReplayJob): Promise<void> {
    const progress = new WrittenProgress(this.parts.store, taken);
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#stopped.signal]);
    try {
      await progress.begin();
      for await (const piece of this.play(await this.#workOf(taken), signal)) {
        if (!(await progress.add(piece))) lost.abort();
        signal.throwIfAborted();
      }
      await progress.end({ state: 'done', because: null, endedAt: isoNow(this.parts.clock) });
    } catch (error) {
      // Cancelled, taken over, or this process ends: whoever looks next finds it as it was written last.
      if (signal.aborted) return;
      const code = codeOf(error);
      this.log.warn('a replay was interrupted', { replay: taken.id, code, because: messageOf(error) });
      // The store is away: the job waits for it, and is begun again at its last progress.
      if (code === 'store.unavailable' || code === 'store.busy') return;
      await progress.end({ state: 'failed', because: messageOf(error), endedAt: isoNow(this.parts.clock) });
    }
  }

  async #workOf({ policy, text, progress, throughSeq, from, to }: ReplayJob): Promise<ReplayWork> {
    const { store, organisation } = this.parts;
    const record = await store.policies.get(policy);
    const active = (await store.policies.liveRevisions()).filter(({ state }) => state === 'active');
    return {
      texts: {
        draft: text,
        beside: active.filter((one) => one.policy !== policy).map((one) => one.text),
        replaces: active.find((one) => one.policy === policy)?.text ?? null,
        organisation,
      },
      // A team's policy decides nothing for others.
      window: {
        afterSeq: progress.seq,
        throughSeq,
        from,
        to,
        team: record?.tier === 'team' ? record.ref : null,
      },
    };
  }
}

/** Where one job has got, as the store has it. */
class WrittenProgress {
  readonly #teams = new Set<string>();
  #writtenAt = performance.now();

  constructor(
    private readonly store: ControlStore,
    private job: ReplayJob,
  ) {}

  /** A job that begins again knows its teams from what was found before. */
  async begin(): Promise<void> {
    if (this.job.progress.flips === 0) return;
    for (const { team } of await this.store.replays.flipCounts(this.job.id, MOST_TEAMS))
      if (team !== null) this.#teams.add(team);
  }

  /** False where the job is no longer ours. */
  async add({ throughSeq, looked, skipped, flips }: ReplayPiece): Promise<boolean> {
    // Before the progress that counts them: what is repeated after a crash is there already.
    if (flips.length > 0) await this.store.replays.addFlips(this.job.id, flips);
    for (const { team } of flips) if (team !== null) this.#teams.add(team);
    const before = this.job.progress;
    this.job = {
      ...this.job,
      progress: {
        seq: throughSeq,
        looked: before.looked + looked,
        skipped: before.skipped + skipped,
        flips: before.flips + flips.length,
        teams: this.#teams.size,
      },
    };
    return performance.now() - this.#writtenAt < WRITE_EVERY_MS || this.#write(this.job);
  }

  async end(end: Pick<ReplayJob, 'state' | 'because' | 'endedAt'>): Promise<void> {
    await this.#write({ ...this.job, ...end });
  }

  async #write(job: ReplayJob): Promise<boolean> {
    this.#writtenAt = performance.now();
    const { ok } = await this.store.replays.change(job, job.etag);
    this.job = { ...job, etag: job.etag + 1 };
    return ok;
  }
}
