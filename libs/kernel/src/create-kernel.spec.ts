import 'reflect-metadata';
import { AuditLog, PermissionPolicy } from '@wrongstack/contracts';
import { TOKENS } from './container/tokens.js';
import { createKernel, type Kernel } from './create-kernel.js';
import { ToolExecutor } from './execution/tool-executor.js';
import { ToolRegistry } from './registry/tool-registry.js';
import { EventBus } from './events/event-bus.js';
import { KERNEL, KernelModule } from './kernel.module.js';
import { ConfigStore } from './config/config-store.js';
import { DEFAULT_CONFIG } from './config/defaults.js';
import { FixedPolicy } from './testing/fixed-policy.js';
import { ExactScrubber, MemoryAudit, ScriptedChannel } from './testing/memory-ports.js';

const ports = () => ({
  policy: new FixedPolicy(),
  approvals: new ScriptedChannel(),
  audit: new MemoryAudit(),
  scrubber: new ExactScrubber(),
});

describe('createKernel', () => {
  it('wires everything and binds it for those who look things up', () => {
    const given = ports();
    const kernel = createKernel(given);
    expect(kernel.container.resolve(TOKENS.EventBus)).toBe(kernel.events);
    expect(kernel.container.resolve(TOKENS.ToolRegistry)).toBe(kernel.tools);
    expect(kernel.container.resolve(TOKENS.ConfigStore).current).toEqual(DEFAULT_CONFIG);
    expect(kernel.container.resolve(PermissionPolicy)).toBe(given.policy);
    expect(kernel.container.resolve(AuditLog)).toBe(given.audit);
  });

  it('announces tools and configuration that change', () => {
    const config = new ConfigStore(DEFAULT_CONFIG);
    const kernel = createKernel({ ...ports(), config });
    const heard: unknown[] = [];
    kernel.events.onPattern('*', (name, payload) => heard.push([name, payload]));
    const dispose = kernel.tools.register({
      name: 'work',
      description: 'w',
      inputSchema: { type: 'object' },
      permission: 'auto',
      mutating: false,
      execute: async () => 1,
    });
    dispose();
    config.update({ log: { level: 'debug' } });
    expect(heard).toEqual([
      ['tool.registered', { name: 'work', owner: 'core' }],
      ['tool.unregistered', { name: 'work', owner: 'core' }],
      ['config.changed', { keys: ['log'] }],
    ]);
  });
});

describe('KernelModule', () => {
  it('gives the kernel and its parts to Nest, from one createKernel', async () => {
    const { providers = [] } = KernelModule.register({ ports });
    const factories = new Map(
      providers.flatMap((provider) =>
        typeof provider === 'object' && 'useFactory' in provider
          ? [[provider.provide as unknown, provider.useFactory]]
          : [],
      ),
    );
    const kernel = (await factories.get(KERNEL)?.()) as Kernel;
    expect(factories.get(EventBus)?.(kernel)).toBe(kernel.events);
    expect(factories.get(ToolRegistry)?.(kernel)).toBe(kernel.tools);
    expect(factories.get(ToolExecutor)?.(kernel)).toBe(kernel.executor);
    expect(factories.get(ConfigStore)?.(kernel)).toBe(kernel.config);
  });
});
