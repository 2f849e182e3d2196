import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '@wrongstack/contracts';
import { ApiModule } from './api.module.js';
import type { ControlParts } from './control/open-control.js';
import { ApiProblem } from './errors/api-problem.js';
import { ProblemFilter } from './errors/problem.handler.js';
import type { ApiHost } from './host/api-host.js';
import { logRequests } from './http/request-log.js';
import { CALLER_PATIENCE, type CallerPatience, endUnread } from './http/unread-request.js';
import { securityHeaders, setSecurityHeaders } from './http/security-headers.js';
import { collectControlMetrics } from './metrics/collect-control-metrics.js';
import { countApprovals } from './metrics/count-approvals.js';
import { countRequests } from './metrics/http-metrics.js';
import { ServerRuns } from './runs/server-runs.js';

/** What an application is made of and held to. */
export interface ApplicationOptions {
  readonly host: ApiHost;
  readonly control: ControlParts;
  readonly log: Logger;
  /** Where the console was built. It may be missing. */
  readonly consoleDir: string;
  /** How long what runs may go on after SIGTERM. */
  readonly graceMs?: number;
  /** Of one address, before anybody is asked who they are: a whole office may be behind it. */
  readonly requestsPerMinute?: number;
  /** A client that sends its headers or its body drop by drop is let go. */
  readonly patience?: CallerPatience;
}

/** A tool's input, with room for a file that it writes; a batch of audit records. */
const BODY_BYTES = 4 * 1024 * 1024;
const REQUESTS_PER_MINUTE = 120_000;

/** The application as it is served, not yet listening: what main.ts starts and what specs inject requests into. */
export async function createApplication(options: ApplicationOptions): Promise<NestFastifyApplication> {
  const { host, control, log, consoleDir, graceMs = 0 } = options;
  const { requestsPerMinute = REQUESTS_PER_MINUTE, patience = CALLER_PATIENCE } = options;
  // Before anything is served: no call is decided without what is in force.
  host.central.attach(control.documents);
  const { store } = control.control;
  host.readiness.add('store', async () => {
    await store.audit.head();
  });
  host.startTasks(store);
  host.audit.attach(control.trail);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES,
    requestTimeout: patience.requestMs,
    http: { headersTimeout: patience.headersMs, connectionsCheckingInterval: patience.lookEveryMs },
    clientErrorHandler: endUnread,
    // As long as a request's head may be: what is wrong with a long id is then said as with any other, and not by the router.
    routerOptions: { maxParamLength: 16 * 1024 },
    // One made by the caller may be used if it cannot break a log line.
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    },
  });
  const runs = new ServerRuns(host, control);
  const module = ApiModule.forRoot(host, control, runs, graceMs, consoleDir);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: ['warn', 'error', 'fatal'],
    // A failed start is reported by main.ts in one line.
    abortOnError: false,
  });
  setSecurityHeaders(adapter.getInstance(), await securityHeaders(new FastifyAdapter().getInstance()));
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.max(1, Math.ceil(ttl / 1000));
      return new ApiProblem(429, 'request.too_many', `too many requests: try again in ${seconds} s`, [], {
        'retry-after': String(seconds),
      });
    },
  });
  // First: what the others log and count belongs to the request's span.
  host.tracing?.requests(adapter.getInstance());
  logRequests(adapter.getInstance(), log);
  countRequests(adapter.getInstance(), host.metrics);
  collectControlMetrics(host, control.control);
  countApprovals(control.approvals, host.metrics);
  app.useGlobalFilters(new ProblemFilter(log));
  // SIGTERM stops accepting, lets the requests that are under way finish, and ends the process with code 0.
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
