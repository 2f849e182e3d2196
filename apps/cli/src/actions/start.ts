import { boot } from '../app/boot.js';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import { runInteractive } from '../interactive/run-interactive.js';
import { capsOf } from '../output.js';
import { usageError } from '../report-error.js';
import { messages } from '../terminal/messages.js';

export interface StartOptions extends SessionOptions {
  readonly resume?: string | true;
}

/** The interactive session. It never draws on anything but a terminal. */
export async function start(_args: readonly string[], options: StartOptions): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw usageError(messages.notTerminal);
  const request = bootRequest(options, true);
  const host = await boot(request);
  try {
    return await runInteractive(
      host,
      capsOf(process.stdout, options, request.environment, host.config.current.ui),
      options.resume,
    );
  } finally {
    await host.close();
  }
}
