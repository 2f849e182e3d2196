import type { MetricsSink } from '@wrongstack/contracts';

interface Request {
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
}

interface Reply {
  readonly statusCode: number;
  readonly elapsedTime: number;
}

interface Server {
  addHook(name: 'onResponse', hook: (request: Request, reply: Reply, done: () => void) => void): unknown;
}

/** Counts and times answers by the pattern of their route: addresses hold what callers put there. */
export function countRequests(server: Server, metrics: MetricsSink): void {
  server.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? '(unknown)';
    metrics.counter('wrongstack_http_requests_total', 1, { method, route, status: String(statusCode) });
    metrics.histogram('wrongstack_http_request_seconds', elapsedTime / 1000, { method, route });
    done();
  });
}
