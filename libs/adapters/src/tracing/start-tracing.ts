import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type Logger, messageOf } from '@wrongstack/contracts';
import { type EventSource, recordSpans } from './run-spans.js';

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  readonly log: Logger;
}

/**
 * Sends spans over OTLP, to where OTEL_EXPORTER_OTLP_* say, as much of them as OTEL_TRACES_SAMPLER says. Loaded only where `asksForOtlp`
 * says so. The disposer sends what is left, within a few seconds, and never rejects.
 */
export function startTracing(
  events: EventSource,
  { service, version, log }: TracingOptions,
): () => Promise<void> {
  const named = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: 5_000 }))],
  });
  // Not registered as the process's own: plugins that trace bring theirs.
  const dispose = recordSpans(events, provider.getTracer('wrongstack', version), log);
  return async () => {
    dispose();
    try {
      await provider.shutdown();
    } catch (error) {
      log.warn('spans could not be sent over OTLP', { message: messageOf(error) });
    }
  };
}
