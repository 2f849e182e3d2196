import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigStore } from './config/config-store.js';
import { createKernel, type Kernel, type KernelPorts } from './create-kernel.js';
import { EventBus } from './events/event-bus.js';
import { ToolExecutor } from './execution/tool-executor.js';
import { ToolRegistry } from './registry/tool-registry.js';

/** Injection token of the whole kernel. */
export const KERNEL = 'wrongstack.kernel';

/** The kernel for Nest hosts: `createKernel` around injected ports, and its parts by their classes. */
@Module({})
export class KernelModule {
  static register(options: {
    readonly imports?: NonNullable<DynamicModule['imports']>;
    /** Tokens to inject into `ports`. */
    readonly inject?: readonly (string | symbol | (abstract new (...args: never[]) => unknown))[];
    readonly ports: (...dependencies: never[]) => KernelPorts | Promise<KernelPorts>;
  }): DynamicModule {
    const part = <T>(provide: abstract new (...args: never[]) => T, pick: (kernel: Kernel) => T) => ({
      provide,
      inject: [KERNEL],
      useFactory: pick,
    });
    return {
      module: KernelModule,
      imports: options.imports ?? [],
      providers: [
        {
          provide: KERNEL,
          inject: [...(options.inject ?? [])],
          useFactory: async (...dependencies: never[]) => createKernel(await options.ports(...dependencies)),
        },
        part(EventBus, (kernel) => kernel.events),
        part(ToolRegistry, (kernel) => kernel.tools),
        part(ToolExecutor, (kernel) => kernel.executor),
        part(ConfigStore, (kernel) => kernel.config),
      ],
      exports: [KERNEL, EventBus, ToolRegistry, ToolExecutor, ConfigStore],
    };
  }
}
