import { messageOf } from '@wrongstack/contracts';
import type { PluginAPI } from '@wrongstack/kernel';
import { PluginError } from '../loader/plugin-error.js';
import type { CapabilityGuard } from './capability-guard.js';

export interface OwnedServers {
  readonly surface: PluginAPI['mcp'];
  /** Stop everything that this plugin started, the last one first. Never rejects. */
  stopAll(): Promise<void>;
}

/** MCP servers as one plugin sees them: it starts its own, stops no others, and they end with it. */
export function ownedServers(
  plugin: string,
  mcp: PluginAPI['mcp'],
  guard: CapabilityGuard,
  warn: (message: string) => void,
): OwnedServers {
  const own = new Set<string>();
  let open = true;
  const requireOwn = (server: string): void => {
    guard.use('mcp');
    if (own.has(server)) return;
    throw new PluginError('plugin.capability_undeclared', plugin, `did not start MCP server ${server}`, {
      hint: 'a plugin stops and restarts the servers that it started',
    });
  };
  const stopQuietly = async (server: string): Promise<void> => {
    try {
      await mcp.stop(server);
    } catch (error) {
      warn(`MCP server ${server} did not stop: ${messageOf(error)}`);
    }
  };
  return {
    surface: {
      async start(server) {
        guard.use('mcp');
        await mcp.start(server);
        own.add(server.name);
        if (open) return;
        // It became ready after its plugin was gone.
        await stopQuietly(server.name);
        throw new PluginError('plugin.unloaded', plugin, `started ${server.name} after it was unloaded`);
      },
      async stop(server) {
        requireOwn(server);
        own.delete(server);
        await mcp.stop(server);
      },
      async restart(server) {
        requireOwn(server);
        await mcp.restart(server);
      },
      list: () => mcp.list(),
    },
    async stopAll() {
      open = false;
      for (const server of [...own].reverse()) await stopQuietly(server);
      own.clear();
    },
  };
}
