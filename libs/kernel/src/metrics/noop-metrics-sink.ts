import { MetricsSink } from '@wrongstack/contracts';

/** Metrics switched off. */
export class NoopMetricsSink extends MetricsSink {
  counter(): void {
    // Nothing is recorded.
  }

  histogram(): void {
    // Nothing is recorded.
  }

  gauge(): void {
    // Nothing is recorded.
  }
}
