import type { StreamingTool } from '@wrongstack/core';

const items = ['first', 'second'];
export const uploaded: string[] = [];

async function upload(item: string | undefined): Promise<void> {
  if (item !== undefined) uploaded.push(item);
}

export const uploadTool: StreamingTool = {
  name: 'upload',
  description: 'Uploads the batch.',
  inputSchema: { type: 'object' },
  permission: 'confirm',
  mutating: true,
  riskTier: 'standard',

  async *executeStream(input, ctx, opts) {
    yield { type: 'log', text: 'Starting batch upload…' };
    for (let i = 0; i < items.length; i++) {
      await upload(items[i]);
      yield { type: 'metric', data: { uploaded: i + 1, total: items.length } };
    }
    yield { type: 'final', output: { count: items.length } };
  },
};
