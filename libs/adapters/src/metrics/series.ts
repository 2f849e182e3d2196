/** One line of a counter or a gauge. */
export class Scalar {
  value = 0;

  constructor(readonly values: readonly string[]) {}
}

/** Buckets are counted each for itself and summed when they are written. */
export class Distribution {
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(
    readonly values: readonly string[],
    readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    this.sum += value;
    this.count += 1;
    for (let index = 0; index < bounds.length; index += 1) {
      // Within the array's length.
      if (value <= (bounds[index] as number)) {
        counts[index] = (counts[index] as number) + 1;
        return;
      }
    }
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
