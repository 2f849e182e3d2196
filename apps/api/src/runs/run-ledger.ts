import { isoNow, type JsonValue, type RunId, WrongStackError } from '@wrongstack/contracts';
import type { ControlPorts, ServerRun } from '@wrongstack/contracts/control';
import type { Principal } from '../auth/principal.js';
import { recordAction } from '../control/action-trail.js';
import type { ControlPlane } from '../control/control-plane.js';
import { asJson, bookOf, type RunBook } from './run-record.js';

/** A change of a run, decided on what it is at that moment. */
export interface RunStep {
  readonly run?: Partial<Pick<ServerRun, 'state' | 'startedAt' | 'endedAt' | 'cancel'>>;
  readonly book?: Partial<RunBook>;
  /** What those who follow it are told, in the same transaction. */
  readonly event?: { readonly type: string; readonly data: JsonValue };
  /** What stands in the audit log, in the same transaction. */
  readonly action?: { readonly by: Actor; readonly name: string; readonly data?: Record<string, unknown> };
}

type Actor = Pick<Principal, 'user' | 'kind' | 'id' | 'teams'>;

/** A run after a step, and the number of its newest event. */
export interface Stepped {
  readonly run: ServerRun;
  readonly lastEvent: number;
}

/** Others write too: a beat every few seconds, a wish to cancel. Each loses against the other at most a few times. */
const MOST_TRIES = 20;

/** Every change of a run after its start: one compare-and-set, with its event and its record. */
export class RunLedger {
  constructor(private readonly control: Pick<ControlPlane, 'store' | 'clock'>) {}

  get(id: RunId): Promise<ServerRun | null> {
    return this.control.store.runs.get(id);
  }

  /** Null where there is no such run, or `decide` does not want the step any more. */
  async step(id: RunId, decide: (run: ServerRun, book: RunBook) => RunStep | null): Promise<Stepped | null> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const outcome = await this.control.store.transaction((tx) => this.#try(tx, id, decide));
      if (outcome !== 'stale') return outcome;
    }
    throw new WrongStackError('store.busy', `run ${id} is changed by others all the time; try again`);
  }

  async #try(
    tx: ControlPorts,
    id: RunId,
    decide: (run: ServerRun, book: RunBook) => RunStep | null,
  ): Promise<Stepped | null | 'stale'> {
    const before = await tx.runs.get(id);
    if (before === null) return null;
    const book = bookOf(before);
    const step = decide(before, book);
    if (step === null) return null;
    const run = { ...before, ...step.run, result: asJson({ ...book, ...step.book }) };
    const changed = await tx.runs.change(run, before.etag);
    if (!changed.ok) return 'stale';
    const at = isoNow(this.control.clock);
    const last = (await tx.runs.lastEvent(id)) ?? 0;
    if (step.event !== undefined) await tx.runs.appendEvents(id, [{ seq: last + 1, at, ...step.event }]);
    if (step.action !== undefined) {
      const { by, name, data = {} } = step.action;
      await recordAction(tx, by, name, { run: id, ...data }, at);
    }
    return {
      run: { ...run, etag: before.etag + 1 },
      lastEvent: step.event === undefined ? last : last + 1,
    };
  }
}
