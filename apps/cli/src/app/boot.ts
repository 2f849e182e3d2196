import 'reflect-metadata';
import { type Kernel } from '@wrongstack/kernel';
import { KERNEL } from '@wrongstack/kernel/module';
import { PolicyEngine } from '@wrongstack/policy';
import { builtInProviders } from '@wrongstack/providers';
import { builtInTools, memoryContributor, MemoryStore } from '@wrongstack/tools';
import type { BootRequest } from './boot-request.js';
import { CliModule } from './cli.module.js';
import { createContext } from './create-context.module.js';
import type { Host } from './host.js';
import { createHostParts } from './host-parts.js';
import { configuredProvider } from './provider-source.js';
import { toolOptions } from './tool-options.js';

/** Wire the application. Nothing is asked, opened or sent yet. */
export async function boot(request: BootRequest): Promise<Host> {
  const parts = await createHostParts(request);
  const context = await createContext(CliModule.forRoot(parts));
  const kernel = context.get<Kernel>(KERNEL);
  for (const factory of builtInProviders) kernel.providers.register(factory);
  const memory = new MemoryStore();
  kernel.tools.registerAllOrThrow(builtInTools(toolOptions(parts, memory)));
  kernel.systemPrompt.addContributor(memoryContributor(memory), 'memory');
  const { config, credentials } = parts;
  return {
    ...parts,
    kernel,
    policy: context.get(PolicyEngine),
    provider: async () =>
      request.provider ?? configuredProvider({ providers: kernel.providers, credentials }, config.current),
    async close() {
      await parts.audit.close();
      await context.close();
    },
  };
}
