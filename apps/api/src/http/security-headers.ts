import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { CONTENT_POLICY } from './content-policy.js';

type Headers = readonly (readonly [string, string])[];

interface Reply {
  readonly raw: { setHeader(name: string, value: string): unknown };
}

interface Server {
  addHook(name: 'onRequest', hook: (request: unknown, reply: Reply, done: () => void) => void): unknown;
}

/**
 * What helmet sets with our policy, asked of it once: it would put the policy together anew for each request, and nothing in it depends
 * on the request. The server is a bare one of its own, and is closed.
 */
export async function securityHeaders(server: FastifyInstance): Promise<Headers> {
  await server.register(helmet, { contentSecurityPolicy: { directives: CONTENT_POLICY } });
  let set: Headers = [];
  server.addHook('onRequest', (_request, reply, done) => {
    set = Object.entries(reply.raw.getHeaders()).map(([name, value]) => [name, String(value)] as const);
    done();
  });
  await server.inject('/');
  await server.close();
  return set;
}

/** On the raw answer: streams and pages of metrics are written past Fastify, and have these headers as well. */
export function setSecurityHeaders(server: Server, headers: Headers): void {
  server.addHook('onRequest', (_request, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value);
    done();
  });
}
