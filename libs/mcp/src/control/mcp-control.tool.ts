import type { Tool } from '@wrongstack/contracts';
import type { McpSupervisor } from '../client/supervisor.js';

interface ControlInput {
  readonly action: 'list' | 'start' | 'stop' | 'restart';
  readonly server?: string;
}

/** Starts, stops and restarts servers that the person configured. It can add none and change none. */
export function mcpControlTool(supervisor: McpSupervisor): Tool<ControlInput> {
  return {
    name: 'mcp_control',
    description: 'List the MCP servers, or start, stop or restart one of them by name.',
    category: 'MCP',
    inputSchema: {
      type: 'object',
      properties: {
        action: { enum: ['list', 'start', 'stop', 'restart'], description: 'What to do' },
        server: { type: 'string', description: 'Name as listed; not for list' },
      },
      required: ['action'],
      additionalProperties: false,
      anyOf: [{ properties: { action: { const: 'list' } } }, { required: ['server'] }],
    },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['config.mutate'],
    timeoutMs: 60_000,
    describeCall: () => ({ paths: [], command: null, urls: [] }),
    presentCall: ({ action, server }) => ({
      card: 'generic',
      title: server === undefined ? `MCP servers: ${action}` : `${action} MCP server ${server}`,
      kind: 'other',
    }),
    async execute({ action, server = '' }) {
      if (action === 'start') await supervisor.startNamed(server);
      if (action === 'stop') await supervisor.stop(server);
      if (action === 'restart') await supervisor.restart(server);
      return { servers: supervisor.list() };
    },
  };
}
