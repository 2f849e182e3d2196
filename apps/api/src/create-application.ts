import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule } from './api.module.js';

/** The application as it is served, not yet listening: what main.ts starts and what specs inject requests into. */
export async function createApplication(): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule, new FastifyAdapter(), {
    logger: ['warn', 'error', 'fatal'],
    // A failed start is reported by main.ts in one line.
    abortOnError: false,
  });
  // SIGTERM stops accepting, lets the requests that are under way finish, and ends the process with code 0.
  app.enableShutdownHooks([], { useProcessExit: true });
  return app;
}
