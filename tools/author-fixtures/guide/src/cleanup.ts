import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Tool } from '@wrongstack/core';

export const children: ChildProcess[] = [];

export const childTool: Tool<{ command: string }> & { activeChild?: ChildProcess } = {
  name: 'child',
  description: 'Runs a program without arguments.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  permission: 'confirm',
  mutating: true,
  riskTier: 'standard',
  capabilities: ['shell.restricted'],

  async execute(input, ctx, opts) {
    const child = spawn(input.command, { signal: opts.signal });
    this.activeChild = child;
    children.push(child);
    // An aborted child ends with an error event, and an end is all that is waited for.
    child.on('error', () => undefined);
    const [code] = (await once(child, 'exit')) as [number | null];
    return `[exit code: ${code}]`;
  },
  async cleanup(_input, _ctx) {
    // Best-effort kill of any child still running
    await this.activeChild?.kill('SIGTERM');
  },
};
