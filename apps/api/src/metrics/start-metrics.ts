import { asksForOtlp, type PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import type { Logger } from '@wrongstack/contracts';
import { VERSION } from '../version.js';

/** What a process of its own adds to what it counts: metrics of the process, and OTLP where the usual variables ask for it. */
export async function startMetrics(
  metrics: PrometheusMetricsSink,
  log: Logger,
  variables: Readonly<Record<string, string | undefined>>,
  service = 'wrongstack-api',
): Promise<() => Promise<void>> {
  const { processMetrics } = await import('@wrongstack/adapters/metrics/process');
  metrics.addPage(processMetrics());
  if (!asksForOtlp('metrics', variables)) return async () => undefined;
  const { sendMetricsTo } = await import('@wrongstack/adapters/metrics/otlp');
  const interval = Number(variables['OTEL_METRIC_EXPORT_INTERVAL']);
  const otlp = sendMetricsTo(metrics, {
    ...{ service: variables['OTEL_SERVICE_NAME'] || service, version: VERSION, log },
    ...(Number.isInteger(interval) && interval >= 1_000 ? { intervalMs: interval } : {}),
  });
  return () => otlp.close();
}
