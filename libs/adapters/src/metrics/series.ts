/** One line of a counter or a gauge. */
export class Scalar {
  value = 0;

  constructor(readonly values: readonly string[]) {}
}

/** One observation of a bucket, and the trace in which it was made. */
export interface Exemplar {
  readonly trace: string;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Buckets are counted each for itself and summed when they are written. */
export class Distribution {
  readonly counts: Float64Array;
  sum = 0;
  count = 0;
  /** The newest of each bucket, the last one is that of +Inf; null while nobody traces. */
  exemplars: (Exemplar | undefined)[] | null = null;

  constructor(
    readonly values: readonly string[],
    readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length);
  }

  /** Which bucket it fell into. */
  observe(value: number): number {
    const { bounds, counts } = this;
    this.sum += value;
    this.count += 1;
    for (let index = 0; index < bounds.length; index += 1) {
      // Within the array's length.
      if (value <= (bounds[index] as number)) {
        counts[index] = (counts[index] as number) + 1;
        return index;
      }
    }
    return bounds.length;
  }

  /** What was observed elsewhere. False, and nothing added, where it does not fit these bounds. */
  add(counts: readonly number[], sum: number, count: number): boolean {
    const inBounds = counts.reduce((total, one) => total + one, 0);
    if (counts.length !== this.bounds.length || !Number.isFinite(sum) || inBounds > count) return false;
    for (const [index, one] of counts.entries()) this.counts[index] = (this.counts[index] ?? 0) + one;
    this.sum += sum;
    this.count += count;
    return true;
  }
}

export type Series = Scalar | Distribution;
