import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule } from './api.module.js';
import type { Authenticator } from './auth/authenticator.js';
import { ProblemFilter } from './errors/problem.handler.js';
import type { ApiHost } from './host/api-host.js';

/** A tool's input, with room for a file that it writes. */
const BODY_BYTES = 4 * 1024 * 1024;

/** The application as it is served, not yet listening: what main.ts starts and what specs inject requests into. */
export async function createApplication(
  host: ApiHost,
  authenticator: Authenticator,
  graceMs = 0,
): Promise<NestFastifyApplication> {
  const module = ApiModule.forRoot(host, authenticator, graceMs);
  const app = await NestFactory.create<NestFastifyApplication>(
    module,
    new FastifyAdapter({ bodyLimit: BODY_BYTES }),
    {
      logger: ['warn', 'error', 'fatal'],
      // A failed start is reported by main.ts in one line.
      abortOnError: false,
    },
  );
  app.useGlobalFilters(new ProblemFilter());
  // SIGTERM stops accepting, lets the requests that are under way finish, and ends the process with code 0.
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
