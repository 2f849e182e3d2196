import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type Decision, type Logger, messageOf, type TaskQueue } from '@wrongstack/contracts';
import { ActiveSpans } from './active-spans.js';
import { CallSpans, decisionSpan, type EventSource } from './call-spans.js';
import { otlpProcessor, resourceOf } from './otlp-spans.js';
import { PROPAGATOR, TracedQueue } from './traced-queue.js';

export interface ServerTracingOptions {
  readonly service: string;
  readonly version: string;
  readonly log: Logger;
  /** Where spans go; to where OTEL_EXPORTER_OTLP_* say, by default. */
  readonly processor?: SpanProcessor;
}

interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly routeOptions: { readonly url?: string | undefined };
}

interface Reply {
  readonly statusCode: number;
}

type Hook = (request: Request, reply: Reply, done: () => void) => void;

interface Server {
  addHook(name: 'onRequest' | 'preHandler' | 'onResponse', hook: Hook): unknown;
}

/** What is asked for every few seconds, by machines, says nothing in a trace. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/metrics', '/healthz', '/readyz']);
const HEADERS = {
  get: (headers: Request['headers'], key: string) => headers[key],
  keys: (headers: Request['headers']) => Object.keys(headers),
};

/**
 * Spans of a server and its workers: HTTP request → tool call → decision → queue → task, in the caller's trace where the request names one
 * (`traceparent`). A request's span has its method, the pattern of its route and its status, never an address.
 */
export class ServerTracing {
  readonly #provider: NodeTracerProvider;
  readonly #active: ActiveSpans;
  readonly #calls: CallSpans;
  readonly #requests = new WeakMap<Request, Span>();

  constructor(private readonly options: ServerTracingOptions) {
    const { service, version, processor } = options;
    this.#provider = new NodeTracerProvider({
      resource: resourceOf(service, version),
      spanProcessors: [processor ?? otlpProcessor()],
    });
    // Not registered as the process's own: plugins that trace bring theirs.
    this.#active = new ActiveSpans(this.#provider.getTracer('wrongstack', version));
    this.#calls = new CallSpans(this.#active.tracer, () => this.#active.current());
  }

  /** Of what runs now; null outside of any request and task. */
  traceId(): string | null {
    return this.#active.traceId();
  }

  queue(queue: TaskQueue): TaskQueue {
    return new TracedQueue(queue, this.#active, this.#calls);
  }

  calls(events: EventSource): void {
    this.#calls.listen(events);
  }

  /** A decision about a call that somebody else runs. */
  decided(decision: Decision): void {
    decisionSpan(this.#active.tracer, this.#active.current(), decision);
  }

  /** Before any other hook, so that all of them are in the request's span. */
  requests(server: Server): void {
    const within: Hook = (request, _reply, done) => {
      const span = this.#requests.get(request);
      if (span === undefined) done();
      else this.#active.within(span, done);
    };
    server.addHook('onRequest', (request, reply, done) => {
      const route = request.routeOptions.url;
      if (!UNTRACED.has(route)) this.#requests.set(request, this.#begin(request, route ?? '(unknown)'));
      within(request, reply, done);
    });
    // A body that arrives in pieces is read outside of it.
    server.addHook('preHandler', within);
    server.addHook('onResponse', (request, reply, done) => {
      const span = this.#requests.get(request);
      span?.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
      within(request, reply, done);
    });
  }

  /** Sends what is left, within a few seconds. Never rejects. */
  async close(): Promise<void> {
    try {
      await this.#provider.shutdown();
    } catch (error) {
      this.options.log.warn('spans could not be sent over OTLP', { message: messageOf(error) });
    }
  }

  #begin({ method, headers }: Request, route: string): Span {
    const attributes = { 'http.request.method': method, 'http.route': route };
    const parent = PROPAGATOR.extract(ROOT_CONTEXT, headers, HEADERS);
    return this.#active.start(`${method} ${route}`, attributes, { parent, kind: SpanKind.SERVER });
  }
}
