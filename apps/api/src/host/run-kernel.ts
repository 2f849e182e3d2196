import {
  type ActorFacts,
  type ApprovalChannel,
  type AuditLog,
  type Config,
  systemClock,
  type TaskQueue,
  WrongStackError,
} from '@wrongstack/contracts';
import { ConfigStore, createKernel, type Kernel } from '@wrongstack/kernel';
import { builtInProviders } from '@wrongstack/providers';
import { builtInTools, memoryContributor, MemoryStore } from '@wrongstack/tools';
import { ServerPlugins, type ServerPluginsParts } from './server-plugins.js';
import type { SharedParts } from './shared-parts.js';

export interface RunKernelParts {
  readonly shared: SharedParts;
  readonly config: Config;
  readonly approvals: ApprovalChannel;
  readonly audit: AuditLog;
  readonly tasks: TaskQueue;
  readonly actor: ActorFacts;
  /** Real path of the folder that the run works in. */
  readonly workspace: string;
  /** What the run keeps beside its session: memory, plans. Of its requester alone. */
  readonly dataDir: string;
  /** The model wants plan mode, which it cannot leave again. */
  readonly tighten: () => void;
}

export interface RunKernel {
  readonly kernel: Kernel;
  close(): Promise<void>;
}

/**
 * The kernel of one run: as the command line has one for each process, so that neither settings, nor plugins, nor memory of one run
 * reach another. Throws `plugin.missing` where a policy requires what this server does not have.
 */
export async function openRunKernel(parts: RunKernelParts): Promise<RunKernel> {
  const { shared, workspace, actor, dataDir, tasks, approvals, audit } = parts;
  const { policy, scrubber, sandbox, rateLimiter, credentials, log, metrics } = shared;
  const plugins = new ServerPlugins();
  const kernel = createKernel({
    ...{ policy, approvals, audit, scrubber, sandbox, rateLimiter, credentials, log, metrics },
    auditFailure: async () => (await policy.locks(workspace, actor)).auditFailure,
    tasks: { queue: tasks, dataDir },
    config: new ConfigStore(parts.config),
    mayMutate: plugins.mayMutate,
  });
  shared.tracing?.calls(kernel.events);
  for (const factory of builtInProviders) kernel.providers.register(factory);
  const memory = new MemoryStore();
  const { net } = parts.config;
  kernel.tools.registerAllOrThrow(
    builtInTools({
      environment: shared.toolEnvironment,
      memory,
      session: { tighten: parts.tighten },
      ...(net === undefined ? {} : { net }),
    }),
  );
  kernel.systemPrompt.addContributor(memoryContributor(memory), 'memory');
  try {
    await loadPlugins(plugins, parts, kernel);
  } catch (error) {
    await plugins.close();
    throw error;
  }
  return { kernel, close: () => plugins.close() };
}

async function loadPlugins(plugins: ServerPlugins, parts: RunKernelParts, kernel: Kernel): Promise<void> {
  const { workspace, actor } = parts;
  const { policy, agentHome, home, log, scrubber } = parts.shared;
  const all: ServerPluginsParts = {
    ...{ kernel, policy, agentHome, home, projectRoot: workspace, log, scrubber, actor },
    readiness: null,
    clock: systemClock,
  };
  await plugins.load(all);
  const missing = await plugins.missingRequired(all);
  if (missing.length === 0) return;
  throw new WrongStackError(
    'plugin.missing',
    `a policy requires ${missing.join(', ')}, and this server does not have it`,
    { hint: `install it into ${agentHome}/plugins` },
  );
}
