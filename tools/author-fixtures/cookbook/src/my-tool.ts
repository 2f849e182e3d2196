import { readFile } from 'node:fs/promises';
import type { Context } from '@wrongstack/core';
import { defineTool } from '@wrongstack/core';

export const name = 'my-tool';
export const inject = ['tools'];

export function apply(ctx: Context) {
  ctx.tools.register(
    defineTool({
      name: 'read_file',
      description: 'Read a file from disk.', // what the model sees
      parameters: {
        path: { type: 'string', required: true, description: 'Absolute path' },
        limit: { type: 'number' }, // optional by default
      },
      async execute(args, exec) {
        // args is TYPED from the schema: { path: string; limit?: number }
        // exec carries { callId, name, arguments, agent?, signal? }
        return [{ type: 'text', text: await readFile(args.path, 'utf8') }];
      },
    }),
  );
}
