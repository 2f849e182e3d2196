export { CONTENT_TYPES, type MetricsFormat } from './render-family.js';
export type { MetricDefinition, MetricKind } from './metric-definition.js';
export { isReported, METRICS, OWN_METRICS } from './metric-definitions.js';
export type { Collect } from './metric-collectors.js';
export {
  type MorePage,
  PrometheusMetricsSink,
  type PrometheusMetricsSinkOptions,
} from './prometheus-metrics-sink.js';
export { asksForOtlp } from './asks-for-otlp.js';
export { writePage } from './write-page.js';
export { formatFor, type MetricsServer, type MetricsServerOptions, serveMetrics } from './serve-metrics.js';
export type { CounterGrowth, Growth, HistogramGrowth } from './series-growth.js';
