import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isoNow, messageOf, type RunId } from '@wrongstack/contracts';
import type { RunOffer, ServerRun } from '@wrongstack/contracts/control';
import type { RunSettings } from '../environment.js';
import { askedIn, type AttemptEnd, brokenEnd, endOf, progressOf } from './attempt-end.js';
import { LiveAttempt } from './live-attempt.js';
import { type AttemptParts, runAttempt } from './run-attempt.js';
import { RunEventWriter } from './run-event-writer.js';
import { RunLedger, type RunStep, type Stepped } from './run-ledger.js';
import { secondsLeft } from './run-limits.js';
import { bookOf, type RunBook, specOf } from './run-record.js';
import { claim, finish, handBack, park, type Progress } from './run-transitions.js';
import { stillActing } from './still-acting.js';
import { approvalActions } from './run-approvals.js';
import { whileAway } from './while-away.js';
import { allowedWorkspace } from './workspaces.js';

const RETRY_MS = 1_000;
/** After a process was told to end: longer than what is left of a call that was interrupted. */
const LAST_WORDS_MS = 15_000;

interface Ended {
  readonly end: AttemptEnd;
  readonly progress: Progress;
  /** Approvals that wait for an answer. */
  readonly asked: readonly string[];
}

/**
 * Executes runs in this process. What a run is stands in the store, and only whoever has claimed it there writes to it: however its end
 * comes about, it is written once.
 */
export class RunExecutor {
  readonly #holder = randomUUID();
  readonly #ledger: RunLedger;
  readonly #live = new Map<RunId, LiveAttempt>();
  readonly #working = new Set<Promise<void>>();
  readonly #lastWords = new AbortController();
  #closing = false;

  constructor(
    private readonly parts: AttemptParts,
    private readonly settings: RunSettings,
  ) {
    this.#ledger = new RunLedger(parts.control);
  }

  /** Never rejects: what goes wrong is the end of the run, or in the log. */
  readonly work = (offer: RunOffer): Promise<void> => {
    const working = this.#work(offer)
      .catch((error: unknown) => {
        this.parts.shared.log.error('a run was left', {
          run: offer.run,
          code: codeOf(error),
          message: messageOf(error),
        });
      })
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
    return working;
  };

  private isClosing(): boolean {
    return this.#closing;
  }

  /** What runs may go on for `graceMs`; then it is stopped and handed back, for another process to go on with. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const over = sleep(graceMs, undefined, { signal: this.#lastWords.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#working), over]);
    for (const live of this.#live.values()) live.stop.stop({ kind: 'process-ends' });
    const late = setTimeout(() => this.#lastWords.abort(), LAST_WORDS_MS);
    await Promise.all(this.#working);
    clearTimeout(late);
    this.#lastWords.abort();
  }

  async #work({ run: id, attempt }: RunOffer): Promise<void> {
    if (this.isClosing()) return;
    const at = isoNow(this.parts.control.clock);
    const claimed = await this.#ledger.step(id, claim(attempt, this.#holder, at));
    if (claimed === null) return;
    const { run, lastEvent } = claimed;
    const live = new LiveAttempt(
      this.parts.control,
      this.#ledger,
      run,
      this.#holder,
      this.settings.patienceMs,
    );
    const { runs } = this.parts.control.store;
    const writer = new RunEventWriter(runs, id, lastEvent, this.parts.control.clock, () =>
      live.stop.stop({ kind: 'taken' }),
    );
    this.#live.set(id, live);
    // It was claimed while this process was told to end.
    if (this.isClosing()) live.stop.stop({ kind: 'process-ends' });
    try {
      live.start();
      const ended = await this.#attempt(run, live, writer);
      await writer.close(this.#lastWords.signal);
      await this.#settle(run, ended);
    } finally {
      live.end();
      this.#live.delete(id);
    }
  }

  async #attempt(run: ServerRun, live: LiveAttempt, writer: RunEventWriter): Promise<Ended> {
    const spec = specOf(run);
    const book = bookOf(run);
    const { control, shared } = this.parts;
    const scrub = (text: string): string => shared.scrubber.scrub(text);
    const timer = setTimeout(
      () => live.stop.stop({ kind: 'time' }),
      secondsLeft(spec.limits, book.used) * 1000,
    );
    try {
      const acting = await whileAway(() => stillActing(control, spec.by), live.stop.signal);
      if ('gone' in acting) return before(gone(acting.gone, book), live);
      const workspace = await allowedWorkspace(spec.workspace, this.settings.workspaces, false);
      if (workspace === null) return before(noWorkspace(spec.workspace, book), live);
      const by = acting.principal;
      const start = await whileAway(() => live.startFacts(by, workspace), live.stop.signal);
      const result = await runAttempt(this.parts, {
        ...{ id: run.id, spec, book, by, workspace, signal: live.stop.signal },
        isHandedBack: () => live.stop.reason?.kind === 'process-ends',
        onSession: (session) => live.hasSession(session),
        onEvent: (event) =>
          live.hear(event, start, (type, fields) => writer.push(type, shared.scrubber.scrubValue(fields))),
      });
      const progress = progressOf(book, result, live.session, live.ms());
      const end = endOf(result, progress, live.stop.reason, spec.tolerateDenials);
      return { end, progress, asked: askedIn(result) };
    } catch (error) {
      return before(brokenEnd(error, book, scrub), live);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Until it is written: a run has an end, also where the store is away meanwhile. */
  async #settle(run: ServerRun, { end, progress, asked }: Ended): Promise<void> {
    if (end.kind === 'taken') return;
    const at = isoNow(this.parts.control.clock);
    await this.#written(run.id, this.#stepOf(end, progress, at));
    if (end.kind === 'final') await this.#withdraw(run, asked);
  }

  #stepOf(end: Exclude<AttemptEnd, { readonly kind: 'taken' }>, progress: Progress, at: string) {
    switch (end.kind) {
      case 'final':
        return finish(this.#holder, end.state, progress, end.outcome, at);
      case 'parked':
        return park(this.#holder, progress, end.approvals);
      case 'handed-back':
        return handBack(this.#holder, progress, end.because);
    }
  }

  async #written(
    id: RunId,
    decide: (run: ServerRun, book: RunBook) => RunStep | null,
  ): Promise<Stepped | null> {
    for (;;) {
      try {
        return await this.#ledger.step(id, decide);
      } catch (error) {
        // Those who watch find it without a sign of life.
        if (this.#lastWords.signal.aborted) throw error;
        this.parts.shared.log.warn('the end of a run waits for the store', { run: id, code: codeOf(error) });
        await sleep(RETRY_MS, undefined, { signal: this.#lastWords.signal }).catch(() => undefined);
      }
    }
  }

  /** Nobody is asked any more for a run that has ended. */
  async #withdraw(run: ServerRun, asked: readonly string[]): Promise<void> {
    const { control, approvals } = this.parts;
    const actions = approvalActions(control, approvals);
    for (const approval of asked) await actions.withdraw(specOf(run).by, approval).catch(() => undefined);
  }
}

/** It came to no result. */
function before(end: AttemptEnd, live: LiveAttempt): Ended {
  return { end, progress: live.progress(), asked: [] };
}

function gone(because: string, { denials, files }: RunBook): AttemptEnd {
  return failed('run.revoked', because, null, denials, files);
}

function noWorkspace(workspace: string, { denials, files }: RunBook): AttemptEnd {
  const message = `${workspace} is no folder that runs may work in on this machine`;
  return failed('run.workspace_not_allowed', message, 'WRONGSTACK_WORKSPACES says which are', denials, files);
}

function failed(
  code: string,
  message: string,
  hint: string | null,
  denials: RunBook['denials'],
  files: RunBook['files'],
): AttemptEnd {
  return {
    kind: 'final',
    state: 'failed',
    outcome: { status: 'failed', text: '', error: { code, message, hint }, denials, files },
  };
}
