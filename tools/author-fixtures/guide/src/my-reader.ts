import { readFile } from 'node:fs/promises';
import type { PluginCapabilities, Tool } from '@wrongstack/core';

export const myTool: Tool<{ path: string }, { content: string }> = {
  name: 'my-reader',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  permission: 'auto',
  mutating: false,
  capabilities: ['fs.read'], // ← declare what this tool can do
  async execute(input) {
    return { content: await readFile(input.path, 'utf8') };
  },
};

export const capabilities: PluginCapabilities = {
  toolMutateCapabilities: ['fs.read', 'fs.write'],
};
