import type { Plugin } from '@wrongstack/core';

const plugin: Plugin = {
  name: 'my-plugin',
  version: '0.1.0',
  description: 'Adds a hello tool',
  apiVersion: '^0.1.0', // semver range against KERNEL_API_VERSION
  capabilities: { tools: true },

  async setup(api) {
    api.tools.register({
      name: 'hello',
      description: 'Says hello to the user',
      inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
      permission: 'auto',
      mutating: false,
      riskTier: 'safe',
      async execute(input) {
        return { greeting: `Hello, ${input.who ?? 'world'}!` };
      },
    });
    api.tools.register({
      name: 'greet',
      description: 'Greet someone',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
      permission: 'auto',
      mutating: false,
      riskTier: 'safe',
      async execute(input) {
        return { msg: `Hi, ${input.name}` };
      },
    });
  },

  async teardown() {
    // close handles, kill subprocesses, etc.
  },
};

export default plugin;
