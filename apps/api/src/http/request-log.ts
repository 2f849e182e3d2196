import type { Logger } from '@wrongstack/contracts';

interface Request {
  readonly id: string;
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly principal?: { readonly id: string };
}

interface Reply {
  readonly statusCode: number;
  readonly elapsedTime: number;
  header(name: string, value: string): unknown;
}

interface Server {
  addHook(
    name: 'onRequest' | 'onResponse',
    hook: (request: Request, reply: Reply, done: () => void) => void,
  ): unknown;
}

/**
 * One line a request when it has been answered, and the request's id in the answer. The route's pattern stands for the address: what
 * callers put into addresses and bodies is never logged.
 */
export function logRequests(server: Server, log: Logger): void {
  server.addHook('onRequest', ({ id }, reply, done) => {
    reply.header('x-request-id', id);
    done();
  });
  server.addHook(
    'onResponse',
    ({ id, method, routeOptions, principal }, { statusCode, elapsedTime }, done) => {
      log.info('request', {
        request: id,
        method,
        route: routeOptions.url ?? '(unknown)',
        status: statusCode,
        ms: Math.round(elapsedTime * 10) / 10,
        ...(principal === undefined ? {} : { principal: principal.id }),
      });
      done();
    },
  );
}
