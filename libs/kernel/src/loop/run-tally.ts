import type { ApprovalId, CallId, Capability, DecisionSource, FileChange } from '@wrongstack/contracts';
import type { CallOutcome } from '../execution/call-scope.js';

export interface DeniedCall {
  readonly call: CallId;
  readonly tool: string;
  /** What the call would have needed, as far as it was decided. */
  readonly capabilities: readonly Capability[];
  readonly decision: string | null;
  readonly rule: DecisionSource | null;
  readonly because: string | null;
  readonly instead: string | null;
}

export interface CallCounts {
  readonly total: number;
  readonly ok: number;
  readonly failed: number;
  readonly denied: number;
  readonly timeout: number;
  readonly aborted: number;
}

/** Counts how the calls of a run ended, for its result. */
export class RunTally {
  readonly #counts = { total: 0, ok: 0, failed: 0, denied: 0, timeout: 0, aborted: 0 };
  readonly #denials: DeniedCall[] = [];
  readonly #pending: {
    readonly call: CallId;
    readonly approval: ApprovalId;
    readonly expiresAt: string | null;
  }[] = [];
  readonly #files = new Map<string, FileChange>();

  add(outcome: CallOutcome): void {
    this.#counts.total += 1;
    if (outcome.status !== 'parked') this.#counts[outcome.status] += 1;
    if (outcome.approval !== null) {
      this.#pending.push({
        call: outcome.call,
        approval: outcome.approval.id,
        expiresAt: outcome.approval.expiresAt,
      });
    }
    if (outcome.status === 'denied') this.#denials.push(denial(outcome));
    for (const file of outcome.files) this.#addFile(file);
  }

  /** The calls of a subagent are calls of this run too. */
  addAll(other: ReturnType<RunTally['summary']>): void {
    this.#counts.total += other.calls.total;
    for (const status of ['ok', 'failed', 'denied', 'timeout', 'aborted'] as const) {
      this.#counts[status] += other.calls[status];
    }
    this.#denials.push(...other.denials);
    this.#pending.push(...other.pending);
    for (const file of other.files) this.#addFile(file);
  }

  #addFile(file: FileChange): void {
    const before = this.#files.get(file.path);
    this.#files.set(file.path, {
      path: file.path,
      added: (before?.added ?? 0) + file.added,
      removed: (before?.removed ?? 0) + file.removed,
    });
  }

  get stoppedByPolicy(): boolean {
    return this.#denials.length > 0 || this.#pending.length > 0;
  }

  summary() {
    return {
      calls: { ...this.#counts } satisfies CallCounts,
      denials: [...this.#denials],
      pending: [...this.#pending],
      files: [...this.#files.values()],
    };
  }
}

function denial(outcome: CallOutcome): DeniedCall {
  const { decision } = outcome;
  // A person's no ends a call that the policy would have let pass: then the result says why, not a rule.
  const byPolicy = decision?.verdict === 'deny';
  const said = outcome.result.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join(' ');
  return {
    call: outcome.call,
    tool: outcome.name,
    capabilities: decision?.facts.effective.map(({ name }) => name) ?? [],
    decision: decision?.id ?? null,
    rule: decision?.by ?? null,
    because: byPolicy ? decision.because : said,
    instead: byPolicy ? decision.instead : null,
  };
}
