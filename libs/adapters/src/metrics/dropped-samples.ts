import type { Logger } from '@wrongstack/contracts';
import { cleanLabel } from './label-text.js';

/** Why samples are not recorded. */
export const DROP_REASONS = [
  'not_finite',
  'negative',
  'label_missing',
  'label_undeclared',
  'label_not_text',
  'other_kind',
  'unknown_metric',
  'unreadable',
] as const;

export type DropReason = (typeof DROP_REASONS)[number];

/** How many offenders are remembered, so that names made up by the million do not fill memory or the log. */
const MOST_NAMED = 1_000;

/** Counts what was not recorded, and names each offender once in the log. */
export class DroppedSamples {
  readonly #named = new Set<string>();

  constructor(
    private readonly log: Logger,
    private readonly count: (reason: DropReason) => void,
  ) {}

  add(metric: string, reason: DropReason): void {
    this.count(reason);
    this.name(`${metric} ${reason}`, 'a metric sample was dropped', { metric: cleanLabel(metric), reason });
  }

  name(key: string, message: string, fields: Readonly<Record<string, string>>): void {
    const short = key.slice(0, 300);
    if (this.#named.has(short) || this.#named.size >= MOST_NAMED) return;
    this.#named.add(short);
    this.log.warn(message, fields);
  }
}
