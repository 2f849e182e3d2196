import { sha256, type Clock, type PolicyState } from '@wrongstack/contracts';
import type { BundleStore, BundleTexts } from '@wrongstack/contracts/control';
import type { Bundle } from '@wrongstack/contracts/wire';
import { PolicyDocuments, type LoadedPolicies } from '../documents/policy-documents.js';
import { PolicyStateSource } from '../engine/policy-state-source.js';
import type { MergedLocks } from '../rules/merged-locks.js';
import { judgeAnswer, type Judgement, type Refusal, type ServerAnswer } from './accept-answer.js';
import { bundleState, type StateReport } from './bundle-state.js';
import { openTexts, type OpenedTexts } from './opened-texts.js';

export interface CentralPolicyOptions {
  readonly store: BundleStore;
  /** Pinned at enrolment. */
  readonly rootKey: string;
  readonly clock: Clock;
}

/**
 * The signed policy of an enrolled client: what is stored, verified whenever it changed, and how current it is. Several
 * processes share the store, so each call looks whether another one has fetched something.
 */
export class CentralPolicy extends PolicyDocuments {
  private current: {
    readonly stamp: string;
    readonly opened: OpenedTexts;
    readonly loaded: LoadedPolicies;
  } | null = null;

  constructor(private readonly options: CentralPolicyOptions) {
    super();
  }

  override async load(): Promise<LoadedPolicies> {
    const { store, rootKey } = this.options;
    const stamp = await store.stamp();
    if (this.current?.stamp === stamp) return this.current.loaded;
    const opened = await openTexts(await store.read(), rootKey, store.place);
    const last = this.current;
    // The last good one is kept as long as this process has it.
    if (opened.failure !== null && last?.opened.held != null) return last.loaded;
    const documents = opened.held?.documents ?? [];
    const same = last !== null && last.opened.failure === opened.failure && sameBundle(last.opened, opened);
    const loaded = same ? last.loaded : Object.freeze({ documents, failure: opened.failure });
    this.current = { stamp, opened, loaded };
    return loaded;
  }

  /** Of what was loaded last; before that, nothing is known. */
  report({ staleGraceHours }: Pick<MergedLocks, 'staleGraceHours'>): StateReport {
    const opened = this.current?.opened;
    return bundleState({
      bundle: opened?.held?.bundle ?? null,
      time: opened?.time ?? null,
      highestTime: opened?.floor?.time ?? null,
      clock: this.options.clock.now(),
      graceHours: staleGraceHours,
    });
  }

  /** The bundle in force, after the last load; null = none. */
  get bundle(): Bundle | null {
    return this.current?.opened.held?.bundle ?? null;
  }

  /** Milliseconds since the epoch at which the server last vouched for anything; null = never. */
  get heardAt(): number | null {
    const time = this.current?.opened.time;
    return time == null ? null : Date.parse(time.time);
  }

  /** What to send as `If-None-Match`; null = ask for all of it. */
  get etag(): string | null {
    const opened = this.current?.opened;
    const payload = opened?.texts.held?.bundle.payload;
    return opened?.held == null || payload === undefined ? null : `"${sha256(payload)}"`;
  }

  get hasKeys(): boolean {
    return this.current?.opened.keys != null;
  }

  /** Judges an answer and keeps what is good of it. `null` = nothing was refused. */
  async take(
    answer: ServerAnswer,
    scope: string,
  ): Promise<{ readonly accepted: boolean; readonly refused: Refusal | null }> {
    const { store, rootKey, clock } = this.options;
    let outcome: Omit<Judgement, 'change'> = { accepted: false, refused: null };
    await store.change(async (texts): Promise<Partial<BundleTexts>> => {
      const held = await openTexts(texts, rootKey, store.place);
      const { change, ...judged } = await judgeAnswer(held, answer, { scope, rootKey, clock: clock.now() });
      outcome = judged;
      return change;
    });
    await this.load();
    return outcome;
  }
}

/** The state of an enrolled client, computed anew for each call. */
export class EnrolledState extends PolicyStateSource {
  constructor(private readonly central: CentralPolicy) {
    super();
  }

  override current(locks: Pick<MergedLocks, 'staleGraceHours'>): PolicyState {
    return this.central.report(locks).state;
  }
}

function sameBundle(one: OpenedTexts, other: OpenedTexts): boolean {
  return (
    one.texts.held?.bundle.payload === other.texts.held?.bundle.payload &&
    (one.held === null) === (other.held === null)
  );
}
