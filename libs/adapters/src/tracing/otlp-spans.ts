import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** To where OTEL_EXPORTER_OTLP_* say. `timeoutMs`: of one batch with all its attempts, which keep the process alive. */
export function otlpProcessor(timeoutMs = 5_000): SpanProcessor {
  return new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: timeoutMs }));
}

export function resourceOf(service: string, version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service, 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }));
}
