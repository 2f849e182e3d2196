import type { PluginHost } from '@wrongstack/plugins';
import type { Host } from '../app/host.js';
import { mcpOf } from './load-mcp.js';

/** The host as the plugin loader sees it. The MCP client is loaded when a plugin first starts a server. */
export function pluginHost(host: Host): PluginHost {
  const { kernel, extensions, log, metrics, clock } = host;
  return {
    container: kernel.container,
    pipelines: kernel.pipelines,
    events: kernel.events,
    tools: kernel.tools,
    providers: kernel.providers,
    slashCommands: kernel.slashCommands,
    lifecycle: kernel.lifecycle,
    config: kernel.config,
    log,
    metrics,
    clock,
    mcp: {
      start: async (server) => (await mcpOf(host)).start(server),
      stop: async (name) => (await mcpOf(host)).stop(name),
      restart: async (name) => (await mcpOf(host)).restart(name),
      list: () => extensions.mcp?.list() ?? [],
    },
    appendToSession: (entry) => extensions.append(entry),
    addSystemPromptContributor: (contributor, owner) =>
      kernel.systemPrompt.addContributor(contributor, owner),
  };
}
