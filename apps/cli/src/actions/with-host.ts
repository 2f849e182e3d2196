import { boot } from '../app/boot.js';
import { bootRequest, type BootRequest, type SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { createOutput, type Output } from '../output.js';

/** For commands that show or judge what plugins and servers add. */
export const withExtensions = (request: BootRequest): BootRequest => ({ ...request, extensions: 'load' });

/** Boot, do the work, close: what every command that ends by itself does. Plugins and servers are not loaded unless asked for. */
export async function withHost(
  options: SessionOptions,
  work: (host: Host, output: Output) => Promise<number>,
  change: (request: BootRequest) => BootRequest | Promise<BootRequest> = (request) => request,
  interactive = false,
): Promise<number> {
  const request = await change({ ...bootRequest(options, interactive), extensions: 'none' });
  const host = await boot(request);
  try {
    return await work(host, createOutput(options, request.environment, host.config.current.ui));
  } finally {
    await host.close();
  }
}
