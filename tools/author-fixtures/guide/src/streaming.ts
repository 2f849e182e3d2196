import type { StreamingTool } from '@wrongstack/core';

interface Connection {
  readonly totalLines: number;
  lines(): AsyncIterable<string>;
}

async function connect(host: string, options: { signal: AbortSignal }): Promise<Connection> {
  options.signal.throwIfAborted();
  const lines = [`hello from ${host}`, 'bye'];
  return {
    totalLines: lines.length,
    async *lines() {
      yield* lines;
    },
  };
}

export const linesTool: StreamingTool = {
  name: 'lines',
  description: 'Lists the lines of a host.',
  inputSchema: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['net.outbound'],

  async *executeStream(input, ctx, opts) {
    yield { type: 'log', text: `Connecting to ${input.host}…` };

    const conn = await connect(input.host, { signal: opts.signal });

    for await (const chunk of conn.lines()) {
      yield { type: 'partial_output', text: chunk + '\n' };
    }

    yield { type: 'metric', data: { lines: conn.totalLines } };
    yield { type: 'final', output: { ok: true, lines: conn.totalLines } };
  },
};
