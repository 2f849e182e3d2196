import path from 'node:path';
import type { AgentSettings } from '@wrongstack/contracts';
import { createMutationGuard, FaultJournal, PluginRuntime, ProjectPluginTrust } from '@wrongstack/plugins';
import type { MutationRule } from '@wrongstack/plugins';
import type { Host } from '../app/host.js';
import { pluginHost } from './plugin-host.js';
import { pluginRules } from './plugin-rules.js';

/** Modules that a plugin may import by name; each is loaded when one does. */
export const HOST_MODULES = {
  '@wrongstack/core': () => import('@wrongstack/core'),
  '@wrongstack/providers': () => import('@wrongstack/providers'),
  '@wrongstack/plugins': () => import('@wrongstack/plugins'),
  '@wrongstack/mcp': () => import('@wrongstack/mcp'),
};

function deadlines({ pluginSetupMs, pluginTeardownMs }: AgentSettings): {
  readonly setupTimeoutMs?: number;
  readonly teardownTimeoutMs?: number;
} {
  return {
    ...(pluginSetupMs !== undefined && { setupTimeoutMs: pluginSetupMs }),
    ...(pluginTeardownMs !== undefined && { teardownTimeoutMs: pluginTeardownMs }),
  };
}

/** Find, check and set up the plugins of this host. A plugin that fails is a line in `plugin list`. */
export async function loadPluginRuntime(host: Host): Promise<PluginRuntime> {
  const { request, config, extensions } = host;
  const { mutation } = (await host.policy.locks(request.projectRoot)).plugins;
  let rule: MutationRule = mutation;
  const runtime = new PluginRuntime({
    host: pluginHost(host),
    places: () => ({
      agentHome: request.paths.agentHome,
      home: request.environment.home,
      projectRoot: request.projectRoot,
      config: config.current,
    }),
    rules: async () => {
      rule = (await host.policy.locks(request.projectRoot)).plugins.mutation;
      return pluginRules(host);
    },
    trust: new ProjectPluginTrust(request.paths.agentHome, request.projectRoot, host.clock),
    hostModules: HOST_MODULES,
    journal: new FaultJournal({
      folder: path.join(request.paths.agentHome, 'plugin-faults'),
      clock: host.clock,
      scrub: (text) => host.scrubber.scrub(text),
    }),
    ...deadlines(config.current.agent),
  });
  extensions.useGuard(
    createMutationGuard(
      (plugin) => runtime.authorityOf(plugin),
      () => rule,
    ),
  );
  extensions.plugins = runtime;
  await runtime.load();
  return runtime;
}
