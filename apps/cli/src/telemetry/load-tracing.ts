import { type EventSource, type RunTracing, startTracing } from '@wrongstack/adapters/tracing';
import type { Logger } from '@wrongstack/contracts';
import { VERSION } from '../version.js';

/** Loaded only where the usual variables ask for spans: OpenTelemetry is no part of an ordinary start. */
export function loadTracing(events: EventSource, log: Logger, service: string | undefined): RunTracing {
  return startTracing(events, { service: service || 'wstack', version: VERSION, log });
}
