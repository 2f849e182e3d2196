import { type HrTime, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import {
  defaultResource,
  detectResources,
  emptyResource,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { messageOf, type Logger } from '@wrongstack/contracts';
import type { MetricDefinition } from './metric-definition.js';
import type { PrometheusMetricsSink } from './prometheus-metrics-sink.js';
import { Distribution, type Series } from './series.js';

export interface OtlpMetricsOptions {
  readonly service: string;
  readonly version: string;
  readonly log: Logger;
  /** `OTEL_METRIC_EXPORT_INTERVAL`, or a minute. */
  readonly intervalMs?: number;
}

export interface OtlpMetrics {
  /** Sends what has been recorded so far. Never rejects: a collector that is away is in the log. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const INTERVAL_MS = 60_000;

/** Sends a sink's samples to an OTLP collector, now and then. Loaded only where `asksForOtlp` says so. */
export function sendMetricsTo(sink: PrometheusMetricsSink, options: OtlpMetricsOptions): OtlpMetrics {
  const { service, version, log, intervalMs = INTERVAL_MS } = options;
  const reader = new PeriodicExportingMetricReader({
    // Endpoint, headers and time limit are read from OTEL_EXPORTER_OTLP_* by the exporter itself.
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, 30_000),
    metricProducers: [new SinkProducer(sink)],
  });
  const named = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  const provider = new MeterProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    readers: [reader],
  });
  const told = async (what: Promise<void>): Promise<void> => {
    try {
      await what;
    } catch (error) {
      log.warn('metrics could not be sent over OTLP', { message: messageOf(error) });
    }
  };
  return { flush: () => told(provider.forceFlush()), close: () => told(provider.shutdown()) };
}

/** The one store of samples as OpenTelemetry sees it: totals since the start of the process. */
class SinkProducer implements MetricProducer {
  readonly #start = hrTime(Date.now());

  constructor(private readonly sink: PrometheusMetricsSink) {}

  async collect(): Promise<Awaited<ReturnType<MetricProducer['collect']>>> {
    const now = hrTime(Date.now());
    const grouped = new Map<MetricDefinition, Series[]>();
    for (const { definition, line } of this.sink.series()) {
      const lines = grouped.get(definition) ?? [];
      grouped.set(definition, lines);
      lines.push(line);
    }
    const metrics = [...grouped].map(([definition, lines]) => dataOf(definition, lines, this.#start, now));
    // Whoever reads us puts the process's own resource in its place.
    const resourceMetrics = {
      resource: emptyResource(),
      scopeMetrics: [{ scope: { name: 'wrongstack' }, metrics }],
    };
    return { resourceMetrics, errors: [] };
  }
}

function dataOf(
  { name, help, kind, labels }: MetricDefinition,
  lines: readonly Series[],
  startTime: HrTime,
  endTime: HrTime,
): MetricData {
  const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  const at = (line: Series) => ({
    startTime,
    endTime,
    attributes: Object.fromEntries(labels.map((label, index) => [label, line.values[index] ?? ''])),
  });
  const scalars = lines.flatMap((line) =>
    line instanceof Distribution ? [] : [{ ...at(line), value: line.value }],
  );
  const base = { descriptor, aggregationTemporality };
  switch (kind) {
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: scalars };
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: scalars };
    case 'histogram':
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: lines.flatMap((line) => {
          if (!(line instanceof Distribution)) return [];
          const counts = [...line.counts];
          counts.push(line.count - counts.reduce((sum, count) => sum + count, 0));
          const value = {
            buckets: { boundaries: [...line.bounds], counts },
            sum: line.sum,
            count: line.count,
          };
          return [{ ...at(line), value }];
        }),
      };
  }
}

function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, (milliseconds - seconds * 1000) * 1_000_000];
}
