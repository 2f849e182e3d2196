import {
  baseEnvironment,
  McpSupervisor,
  mcpControlTool,
  PinStore,
  serversOf,
  VaultTokens,
} from '@wrongstack/mcp';
import path from 'node:path';
import type { Host } from '../app/host.js';

/** The supervisor of this host's MCP servers; made when it is first needed. */
export async function mcpOf(host: Host): Promise<McpSupervisor> {
  const { extensions, kernel, request, credentials, clock, log, metrics } = host;
  extensions.mcp ??= new McpSupervisor({
    tools: kernel.tools,
    pins: new PinStore(path.join(request.paths.agentHome, 'mcp', 'pins.json'), clock),
    environment: baseEnvironment(request.environment.all),
    workingFolder: request.environment.home,
    credential: (name) => credentials.find(name),
    tokens: new VaultTokens(host.vault),
    addSystemPromptContributor: (contributor, owner) =>
      kernel.systemPrompt.addContributor(contributor, owner),
    clock,
    log,
    metrics,
  });
  return extensions.mcp;
}

/**
 * Begin what the person configured, without waiting for it: a slow server delays nobody who does not need it. One that
 * does not come up is a line in `mcp list`, and is told of at the start of the first run.
 */
export async function beginConfiguredServers(host: Host): Promise<void> {
  const supervisor = await mcpOf(host);
  const servers = serversOf(host.config.current.mcp ?? {});
  supervisor.configure(servers);
  host.kernel.tools.register(mcpControlTool(supervisor));
  supervisor.beginConfigured();
}
