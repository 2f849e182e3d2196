import { asksForOtlp } from '@wrongstack/adapters/metrics';
import type { ServerTracing, ServerTracingOptions } from '@wrongstack/adapters/tracing';
import type { Logger } from '@wrongstack/contracts';
import type { Environment } from '../environment.js';
import { VERSION } from '../version.js';

export type SpanProcessor = NonNullable<ServerTracingOptions['processor']>;

/** Null, and nothing of it loaded, unless the usual variables of OpenTelemetry ask for spans. `processor`: somewhere else instead. */
export async function openTracing(
  { all }: Environment,
  works: boolean,
  log: Logger,
  processor: SpanProcessor | null,
): Promise<ServerTracing | null> {
  if (processor === null && !asksForOtlp('traces', all)) return null;
  const { ServerTracing } = await import('@wrongstack/adapters/tracing');
  const service = all['OTEL_SERVICE_NAME'] || (works ? 'wrongstack-worker' : 'wrongstack-api');
  return new ServerTracing({ service, version: VERSION, log, ...(processor === null ? {} : { processor }) });
}
