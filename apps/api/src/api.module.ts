import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { ApprovalWatch } from './approvals/approval-watch.js';
import { RouteGuard } from './auth/authentication.handler.js';
import { CallerLimit } from './auth/caller-limit.js';
import { ConsoleController } from './console/console.controller.js';
import { ConsoleFiles } from './console/console-files.js';
import { CONTROL_CONTROLLERS, controlProviders } from './control/control-providers.module.js';
import { ControlPlane } from './control/control-plane.js';
import type { ControlParts } from './control/open-control.js';
import { HealthController } from './health/health.controller.js';
import { ReadyController } from './health/ready.controller.js';
import { ApiHost } from './host/api-host.js';
import { HostLifetime } from './host/lifetime.handler.js';
import { ContractGuard } from './http/contract.handler.js';
import { McpEndpoint } from './mcp/mcp-endpoint.handler.js';
import { McpController } from './mcp/mcp.controller.js';
import { DeltasController } from './metrics/deltas.controller.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { buildDocument } from './openapi/build-document.js';
import { DocsController } from './openapi/docs.controller.js';
import { foundRoutes } from './openapi/found-routes.handler.js';
import { OpenApiDocument } from './openapi/open-api-document.js';
import { QueuesController, QueuesDoorController } from './queues/queues.controller.js';
import type { ServerRuns } from './runs/server-runs.js';
import { KillTaskHandler } from './tasks/kill-task.command.js';
import { TasksController } from './tasks/tasks.controller.js';
import { ToolCallsController } from './tools/tool-calls.controller.js';
import { VERSION } from './version.js';

/** Of one caller. An agent polls, ships and asks; a whole minute of work of one is far below. */
const REQUESTS_PER_MINUTE = 3_000;

const OWN_CONTROLLERS: readonly Type[] = [
  ConsoleController,
  DeltasController,
  DocsController,
  HealthController,
  McpController,
  MetricsController,
  QueuesController,
  QueuesDoorController,
  ReadyController,
  TasksController,
  ToolCallsController,
];

/** Every controller there is. What is not in this list is not served. */
export const CONTROLLERS: readonly Type[] = [...OWN_CONTROLLERS, ...CONTROL_CONTROLLERS];

/** Also the check that no route lacks a contract: without one the application does not start, and the build fails. */
export function openApiDocument(): OpenApiDocument {
  return new OpenApiDocument(buildDocument(VERSION, foundRoutes(CONTROLLERS)));
}

@Module({})
export class ApiModule {
  static forRoot(
    host: ApiHost,
    parts: ControlParts,
    runs: ServerRuns,
    graceMs: number,
    consoleDir: string,
  ): DynamicModule {
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot()],
      controllers: [...CONTROLLERS],
      providers: [
        ...controlProviders(parts, runs),
        KillTaskHandler,
        { provide: ApiHost, useValue: host },
        { provide: ConsoleFiles, useValue: new ConsoleFiles(consoleDir) },
        { provide: OpenApiDocument, useValue: openApiDocument() },
        { provide: HostLifetime, useValue: new HostLifetime(host, parts, runs, graceMs) },
        {
          provide: McpEndpoint,
          inject: [ApiHost, ControlPlane, ApprovalWatch, CommandBus],
          useFactory: (...given: [ApiHost, ControlPlane, ApprovalWatch, CommandBus]) =>
            new McpEndpoint(...given, graceMs),
        },
        { provide: CallerLimit, useValue: new CallerLimit(parts.control.clock, REQUESTS_PER_MINUTE) },
        // In this order: nobody learns from a refusal what a route takes before it is known who asks.
        { provide: APP_GUARD, useClass: RouteGuard },
        { provide: APP_GUARD, useClass: ContractGuard },
      ],
    };
  }
}
