import type { MetricsSink } from '@wrongstack/contracts';
import type { AuditCount, AuditStore } from '@wrongstack/contracts/control';

/** What the store gives in one answer, the largest first. */
const MOST_GROUPS = 1_000;

/**
 * The fleet's decisions, read off the organisation's audit log: the first look takes the sum of all that is there, each later one what
 * came after. So the counters are those of the log, whatever happened to the command lines that shipped it, and a restart of
 * this process does not set them back. Each replica shows the same totals: take the largest, not the sum.
 */
export class FleetCounters {
  #through = 0;
  #looking: Promise<void> | null = null;

  constructor(
    private readonly audit: Pick<AuditStore, 'head' | 'counts'>,
    private readonly metrics: MetricsSink,
  ) {}

  /** Rejects where the store is away; nothing is counted then, and the next look makes up for it. */
  refresh(): Promise<void> {
    // Two at once would count the same records twice.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { seq } = await this.audit.head();
    if (seq <= this.#through) return;
    const part = { afterSeq: this.#through, throughSeq: seq };
    const decided = { ...part, kind: 'decision' } as const;
    const verdicts = await this.audit.counts(decided, ['verdict'], MOST_GROUPS);
    const pairs = await this.audit.counts(decided, ['verdict', 'tool'], MOST_GROUPS);
    const kinds = await this.audit.counts(part, ['kind'], MOST_GROUPS);
    // From here on nothing can fail, so that all of it is counted or none.
    this.#through = seq;
    const rest = new Map(verdicts.map(({ by, count }) => [textOf(by, 'verdict'), count]));
    for (const { by, count } of pairs) {
      const verdict = textOf(by, 'verdict');
      rest.set(verdict, (rest.get(verdict) ?? 0) - count);
      this.#add(verdict, textOf(by, 'tool'), count);
    }
    // Of more tools than the store groups, the rarest.
    for (const [verdict, count] of rest) if (count > 0) this.#add(verdict, 'other', count);
    for (const { by, count } of kinds)
      this.metrics.counter('wrongstack_fleet_audit_records_total', count, { kind: textOf(by, 'kind') });
  }

  #add(verdict: string, tool: string, count: number): void {
    this.metrics.counter('wrongstack_fleet_decisions_total', count, { verdict, tool });
  }
}

function textOf(by: AuditCount['by'], group: 'verdict' | 'tool' | 'kind'): string {
  const value = by[group];
  return value === null || value === undefined ? 'none' : String(value);
}
