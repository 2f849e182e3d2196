import { boot } from '../app/boot.js';
import { bootRequest, type BootRequest, type SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { createOutput, type Output } from '../output.js';

/** Boot, do the work, close: what every command that ends by itself does. */
export async function withHost(
  options: SessionOptions,
  work: (host: Host, output: Output) => Promise<number>,
  change: (request: BootRequest) => BootRequest | Promise<BootRequest> = (request) => request,
  interactive = false,
): Promise<number> {
  const request = await change(bootRequest(options, interactive));
  const host = await boot(request);
  try {
    return await work(host, createOutput(options, request.environment, host.config.current.ui));
  } finally {
    await host.close();
  }
}
