import type { McpServer } from '@agentclientprotocol/sdk';
import { messageOf } from '@wrongstack/contracts';
import type { McpServerConfig } from '@wrongstack/kernel';
import type { Host } from '../app/host.js';

const UNFIT = /[^A-Za-z0-9._-]+/g;
const LONGEST_NAME = 32;

/**
 * Begin the servers that the editor brings along. Their tools are governed like those of any other server: not pinned, so
 * each call asks. One that does not come up costs its tools and not the session, and is told of with the first prompt; what
 * is wrong with the request itself is returned, one line each.
 */
export async function beginClientServers(
  host: Host,
  servers: readonly McpServer[],
): Promise<readonly string[]> {
  if (servers.length === 0) return [];
  // Loaded here: most sessions bring none.
  const { mcpOf } = await import('../extensions/load-mcp.js');
  const supervisor = await mcpOf(host);
  return servers.flatMap((server) => {
    try {
      supervisor.begin(configOf(server));
      return [];
    } catch (error) {
      return [`MCP server ${server.name} is not there: ${messageOf(error)}`];
    }
  });
}

function configOf(server: McpServer): McpServerConfig {
  const name = server.name
    .replace(UNFIT, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, LONGEST_NAME);
  if ('command' in server) {
    const env = Object.fromEntries(server.env.map((one) => [one.name, one.value]));
    return { name, transport: 'stdio', command: server.command, args: server.args, env };
  }
  if (server.type === 'sse') throw new Error('only stdio and streamable HTTP are supported');
  const headers = Object.fromEntries(server.headers.map((header) => [header.name, header.value]));
  return { name, transport: 'http', url: server.url, headers };
}
