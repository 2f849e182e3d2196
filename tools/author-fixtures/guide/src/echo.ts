import type { Tool } from '@wrongstack/core';

export const echoTool: Tool<{ text: string }, { echoed: string }> = {
  name: 'echo',
  description: 'Echoes its input back. Useful for testing.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  async execute(input) {
    return { echoed: input.text };
  },
};
