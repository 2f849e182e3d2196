import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CheckedLines } from './checked-lines.js';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js';
import type { McpOffer } from './mcp-offer.js';
import { refuseRepeatedIds } from './unrepeated-ids.js';

const MOST_MESSAGE_BYTES = 8 * 1024 * 1024;

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serve one client over stdio until it closes its end or `signal` aborts. Resolves when what was offered is closed. */
export async function serveStdio(
  offer: McpOffer,
  options: McpServerOptions,
  { input, output }: StdioStreams,
  signal: AbortSignal,
): Promise<void> {
  const server = createMcpServer(offer, options);
  const gone = new Promise<void>((resolve) => {
    input.once('close', resolve);
    input.once('end', resolve);
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const lines = input.pipe(new CheckedLines(MOST_MESSAGE_BYTES, (line) => void output.write(line)));
  const transport = new StdioServerTransport(lines, output);
  await server.connect(transport);
  refuseRepeatedIds(transport);
  const closed = new Promise<void>((resolve) => {
    const before = server.onclose;
    server.onclose = () => {
      before?.();
      resolve();
    };
  });
  await Promise.race([gone, closed]);
  // Told to end by a signal, nothing more is read: an open stdin would keep the process.
  input.unpipe(lines);
  input.destroy();
  await server.close();
  await offer.close();
}
