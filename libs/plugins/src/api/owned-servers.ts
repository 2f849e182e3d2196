import { messageOf } from '@wrongstack/contracts';
import type { PluginAPI } from '@wrongstack/kernel';
import { PluginError } from '../loader/plugin-error.js';
import type { CapabilityGuard } from './capability-guard.js';
import { withCheckedArguments } from './check-arguments.js';

/** MCP servers as one plugin sees them: it starts its own, stops no others, and they end with it. */
export class OwnedServers {
  readonly #own = new Set<string>();
  #open = true;
  #surface: PluginAPI['mcp'] | null = null;

  constructor(
    private readonly plugin: string,
    private readonly mcp: PluginAPI['mcp'],
    private readonly guard: CapabilityGuard,
    private readonly warn: (message: string) => void,
  ) {}

  /** Made when it is looked at: most plugins start no server. */
  get surface(): PluginAPI['mcp'] {
    this.#surface ??= withCheckedArguments<PluginAPI['mcp']>(this.plugin, 'api.mcp', {
      start: (server) => this.#start(server),
      stop: async (server) => {
        this.#requireOwn(server);
        this.#own.delete(server);
        await this.mcp.stop(server);
      },
      restart: async (server) => {
        this.#requireOwn(server);
        await this.mcp.restart(server);
      },
      list: () => this.mcp.list(),
    });
    return this.#surface;
  }

  /** Stop everything that this plugin started, the last one first. Never rejects. */
  async stopAll(): Promise<void> {
    this.#open = false;
    for (const server of [...this.#own].reverse()) await this.#stopQuietly(server);
    this.#own.clear();
  }

  async #start(server: Parameters<PluginAPI['mcp']['start']>[0]): Promise<void> {
    this.guard.use('mcp');
    await this.mcp.start(server);
    this.#own.add(server.name);
    if (this.#open) return;
    // It became ready after its plugin was gone.
    await this.#stopQuietly(server.name);
    throw new PluginError('plugin.unloaded', this.plugin, `started ${server.name} after it was unloaded`);
  }

  #requireOwn(server: string): void {
    this.guard.use('mcp');
    if (this.#own.has(server)) return;
    throw new PluginError('plugin.capability_undeclared', this.plugin, `did not start MCP server ${server}`, {
      hint: 'a plugin stops and restarts the servers that it started',
    });
  }

  async #stopQuietly(server: string): Promise<void> {
    try {
      await this.mcp.stop(server);
    } catch (error) {
      this.warn(`MCP server ${server} did not stop: ${messageOf(error)}`);
    }
  }
}
