import { JsonlSessionStore } from '@wrongstack/adapters';
import { loadConfig } from '@wrongstack/kernel';
import { serveAcp } from '../acp/serve-acp.js';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { reportNotices } from '../app/startup-notices.js';
import { credentialName } from '@wrongstack/providers';
import { EXIT } from '../exit-codes.js';
import { startOwnMetrics } from '../telemetry/own-metrics.js';
import { VERSION } from '../version.js';
import { authSet } from './auth-set.js';

export interface AcpOptions extends SessionOptions {
  readonly setKey?: string;
  /** Where Prometheus reads what this process counts. */
  readonly metricsPort?: number;
}

/** Serve an editor over stdin and stdout until it closes them. Nothing but the protocol is ever written to stdout. */
export async function acp(_args: readonly string[], options: AcpOptions): Promise<number> {
  if (options.setKey !== undefined) return authSet([options.setKey], options);
  const request = bootRequest(options, true);
  const { environment, paths, overrides } = request;
  const controller = new AbortController();
  const stop = onInterrupt(() => controller.abort());
  const metrics = await startOwnMetrics(request, 'acp', options.metricsPort);
  try {
    await serveAcp(
      {
        version: VERSION,
        bootIn: async (cwd) => {
          const host = await metrics.boot(bootRequest({ ...options, cwd }, true));
          await reportNotices(host);
          return host;
        },
        sessions: new JsonlSessionStore(paths.sessions),
        home: environment.home,
        keyName: async () => {
          const { config } = await loadConfig({ userFile: paths.userConfig, projectFile: null, overrides });
          return credentialName(config) ?? null;
        },
      },
      { input: process.stdin, output: process.stdout },
      controller.signal,
    );
    return controller.signal.aborted ? EXIT.interrupted : EXIT.done;
  } finally {
    stop();
    await metrics.close();
  }
}
