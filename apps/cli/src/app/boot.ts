import 'reflect-metadata';
import { asksForOtlp } from '@wrongstack/adapters';
import { type Kernel } from '@wrongstack/kernel';
import { KERNEL } from '@wrongstack/kernel/module';
import { PolicyEngine } from '@wrongstack/policy';
import { builtInProviders, configuredProvider, ScriptedProvider } from '@wrongstack/providers';
import { builtInTools, memoryContributor, MemoryStore } from '@wrongstack/tools';
import { loadExtensions } from '../extensions/load-extensions.js';
import { announceCentre } from './announce-centre.js';
import type { BootRequest } from './boot-request.js';
import { CliModule } from './cli.module.js';
import { createContext } from './create-context.module.js';
import type { Host } from './host.js';
import { createHostParts, type HostParts } from './host-parts.js';
import { toolOptions } from './tool-options.js';

/** Wire the application. Nothing is asked, opened or sent yet. */
export async function boot(request: BootRequest): Promise<Host> {
  const parts = await createHostParts(request);
  const context = await createContext(CliModule.forRoot(parts));
  const kernel = context.get<Kernel>(KERNEL);
  for (const factory of builtInProviders) kernel.providers.register(factory);
  const memory = new MemoryStore();
  kernel.tools.registerAllOrThrow(builtInTools(toolOptions(parts, memory)));
  parts.tasks.start(kernel.taskWork);
  kernel.systemPrompt.addContributor(memoryContributor(memory), 'memory');
  const { config, credentials } = parts;
  const endTracing = await tracing(request, kernel, parts);
  let closed: Promise<void> | undefined;
  const host: Host = {
    ...parts,
    kernel,
    policy: context.get(PolicyEngine),
    provider: async () =>
      request.provider ?? configuredProvider({ providers: kernel.providers, credentials }, config.current),
    close() {
      closed ??= (async () => {
        await parts.tasks.close();
        await parts.extensions.close();
        await parts.audit.close();
        await endTracing();
        await parts.centre?.close();
        await context.close();
      })();
      return closed;
    },
  };
  if (parts.centre !== null) announceCentre(host, parts.centre);
  try {
    await loadExtensions(host);
    await nameScript(host, request);
  } catch (error) {
    await host.close();
    throw error;
  }
  return host;
}

/** Spans, where the usual variables ask for them; how to send what is left. */
async function tracing(
  { environment }: BootRequest,
  kernel: Kernel,
  { log, metrics, traces }: Pick<HostParts, 'log' | 'metrics' | 'traces'>,
): Promise<() => Promise<void>> {
  if (!asksForOtlp('traces', environment.all)) return async () => undefined;
  const { loadTracing } = await import('../telemetry/load-tracing.js');
  const spans = loadTracing(kernel.events, log, environment.variable('OTEL_SERVICE_NAME'));
  traces.traceId = () => spans.traceId();
  const forget = metrics.useTraces(traces.traceId);
  return () => {
    forget();
    return spans.close();
  };
}

/** A script answers under its own name: what is configured for a model would be shown, priced and recorded as what it is not. */
async function nameScript(host: Host, request: BootRequest): Promise<void> {
  const { script, type } = host.config.current.provider;
  const given = type === 'scripted' && typeof script === 'string' ? new ScriptedProvider(script) : undefined;
  const provider = request.provider ?? given;
  if (!(provider instanceof ScriptedProvider)) return;
  host.config.update({ provider: { model: await provider.modelName() } });
}
