import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type Logger, messageOf } from '@wrongstack/contracts';
import type { EventSource } from './call-spans.js';
import { otlpProcessor, resourceOf } from './otlp-spans.js';
import { recordSpans } from './run-spans.js';

const BATCH_MS = 1_000;
/** What is waited for at the end; a batch that is late has given up by then. */
const LAST_SPANS_MS = 1_100;

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  readonly log: Logger;
}

export interface RunTracing {
  /** Of the run that is under way; null where there is none, or more than one. */
  traceId(): string | null;
  /** Sends what is left, within a second: a collector that is slow or away holds no command up. Never rejects. */
  close(): Promise<void>;
}

/**
 * Sends spans over OTLP, to where OTEL_EXPORTER_OTLP_* say, as much of them as OTEL_TRACES_SAMPLER says. Loaded only where `asksForOtlp`
 * says so.
 */
export function startTracing(events: EventSource, { service, version, log }: TracingOptions): RunTracing {
  const provider = new NodeTracerProvider({
    resource: resourceOf(service, version),
    spanProcessors: [otlpProcessor(BATCH_MS)],
  });
  // Not registered as the process's own: plugins that trace bring theirs.
  const spans = recordSpans(events, provider.getTracer('wrongstack', version), log);
  return {
    traceId: () => spans.traceId(),
    async close() {
      spans.dispose();
      try {
        await within(LAST_SPANS_MS, provider.shutdown());
      } catch (error) {
        log.warn('spans could not be sent over OTLP', { message: messageOf(error) });
      }
    },
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the collector did not answer within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
