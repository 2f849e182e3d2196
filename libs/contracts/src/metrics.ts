export type MetricLabels = Readonly<Record<string, string>>;

/**
 * Where numbers go. Names follow Prometheus conventions (base unit, `_total` for counters); labels are bounded:
 * never a user, path, command, rule text or id.
 */
export abstract class MetricsSink {
  abstract counter(name: string, value?: number, labels?: MetricLabels): void;
  abstract histogram(name: string, value: number, labels?: MetricLabels): void;
  abstract gauge(name: string, value: number, labels?: MetricLabels): void;
}
