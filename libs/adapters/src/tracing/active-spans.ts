import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/**
 * The span that what runs now belongs to, along promises and timers. Our own and not OpenTelemetry's global one, which belongs to whatever
 * plugins bring along.
 */
export class ActiveSpans {
  readonly #storage = new AsyncLocalStorage<Span>();

  constructor(readonly tracer: Tracer) {}

  current(): Span | undefined {
    return this.#storage.getStore();
  }

  within<Result>(span: Span, work: () => Result): Result {
    return this.#storage.run(span, work);
  }

  /** Below the current span, or below `parent`. */
  start(
    name: string,
    attributes: Attributes,
    options: { readonly parent?: Context; readonly kind?: SpanKind } = {},
  ): Span {
    const { parent, kind } = options;
    return this.tracer.startSpan(
      name,
      { attributes, ...(kind === undefined ? {} : { kind }) },
      parent ?? contextOf(this.current()),
    );
  }

  /** For exemplars and log lines; null outside of any span. */
  traceId(): string | null {
    return this.current()?.spanContext().traceId ?? null;
  }
}

export function contextOf(span: Span | undefined): Context {
  return span === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, span);
}
