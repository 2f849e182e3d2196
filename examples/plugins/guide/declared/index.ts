import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = {
  name: 'declared',
  capabilities: {
    tools: true,
    providers: false,
    slashCommands: true,
    mcp: false,
    pipelines: ['request', 'toolCall'],
  },
  dependsOn: [
    'wstack-auth', // string form
    { name: 'wstack-router', version: '^1.2' }, // structured form
  ],
  optionalDeps: [{ name: 'wstack-cache', version: '^0.5' }],
  conflictsWith: ['wstack-other-router'],
  configSchema: {
    type: 'object',
    properties: {
      endpoint: { type: 'string' },
      timeoutMs: { type: 'integer', minimum: 1, maximum: 60_000 },
    },
    required: ['endpoint'],
  },
  setup(api) {
    api.log.info(`endpoint ${api.config.extensions['declared'].endpoint}`);
  },
};

export default plugin;
