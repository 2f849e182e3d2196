import { type DynamicModule, Module } from '@nestjs/common';
import { Authenticator } from './auth/authenticator.js';
import { HealthController } from './health/health.controller.js';
import { ApiHost } from './host/api-host.js';
import { HostLifetime } from './host/lifetime.handler.js';
import { TasksController } from './tasks/tasks.controller.js';
import { ToolCallsController } from './tools/tool-calls.controller.js';

@Module({})
export class ApiModule {
  static forRoot(host: ApiHost, authenticator: Authenticator, graceMs: number): DynamicModule {
    return {
      module: ApiModule,
      controllers: [HealthController, TasksController, ToolCallsController],
      providers: [
        { provide: ApiHost, useValue: host },
        { provide: Authenticator, useValue: authenticator },
        { provide: HostLifetime, useValue: new HostLifetime(host, graceMs) },
      ],
    };
  }
}
