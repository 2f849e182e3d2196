export type { EventSource } from './call-spans.js';
export { recordSpans, type RecordedSpans } from './run-spans.js';
export { ServerTracing, type ServerTracingOptions } from './server-tracing.js';
export { type RunTracing, startTracing, type TracingOptions } from './start-tracing.js';
