export { recordSpans, type EventSource } from './run-spans.js';
export { startTracing, type TracingOptions } from './start-tracing.js';
