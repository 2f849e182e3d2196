import fs from 'node:fs/promises';
import { safeResolveReal, type Tool } from '@wrongstack/core';

export const readTool: Tool<
  { path: string },
  { text: string; seenBefore: boolean; when: number | undefined }
> = {
  name: 'read-file',
  description: 'Reads a file of the project.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['fs.read'],

  async execute(input, ctx) {
    const absPath = await safeResolveReal(ctx.projectRoot, input.path);
    const seenBefore = ctx.hasRead(absPath);
    const stat = await fs.stat(absPath);
    const buf = await fs.readFile(absPath);
    ctx.recordRead(absPath, stat.mtimeMs);
    return { text: buf.toString('utf8'), seenBefore, when: ctx.lastReadMtime(absPath) };
  },
};
