import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { JsonlSessionStore } from '@wrongstack/adapters';
import type { VerifiedAgent } from '@wrongstack/adapters/control';
import {
  ConformanceOffer,
  GovernedOffer,
  type McpOffer,
  serveHttp,
  serveStdio,
} from '@wrongstack/mcp/server';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { reportNotices } from '../app/startup-notices.js';
import { EXIT } from '../exit-codes.js';
import { startOwnMetrics } from '../telemetry/own-metrics.js';
import { VERSION } from '../version.js';
import { agentAdmission } from './mcp-agents.js';
import { openMcpSession } from './mcp-serve-session.js';

export interface McpServeOptions extends SessionOptions {
  /** A port, or true for any free one. Missing = stdin and stdout. */
  readonly http?: number | true;
  /** Agents of others that are let in beside the person's own. */
  readonly agent?: readonly string[];
  /** What the protocol's conformance suite asks for, instead of tools. */
  readonly fixtures?: boolean;
  /** Where Prometheus reads what this process counts. */
  readonly metricsPort?: number;
}

const INFO = { name: 'wstack', title: 'WrongStack', version: VERSION };
const TOKEN_VARIABLE = 'WRONGSTACK_MCP_TOKEN';
const TOKEN_BYTES = 24;

/** Serve the governed tools to other agents. On stdio nothing but the protocol is ever written to stdout. */
export async function mcpServe(_args: readonly string[], options: McpServeOptions): Promise<number> {
  const controller = new AbortController();
  const stop = onInterrupt(() => controller.abort());
  const request = bootRequest(options, false);
  const metrics = await startOwnMetrics(request, 'mcp', options.metricsPort);
  let host: Host | null = null;
  try {
    host = options.fixtures === true ? null : await metrics.boot(request);
    const served = host;
    if (served !== null) await reportNotices(served);
    // Beside the work: nothing waits for the server.
    served?.centre?.follow();
    const offer = (agent: VerifiedAgent | null): Promise<McpOffer> => offerOf(served, agent);
    if (options.http === undefined) {
      const streams = { input: process.stdin, output: process.stdout };
      await serveStdio(await offer(null), INFO, streams, controller.signal);
      return controller.signal.aborted ? EXIT.interrupted : EXIT.done;
    }
    const token = host === null ? null : tokenOf(host);
    const port = options.http === true ? 0 : options.http;
    const admit = host === null ? undefined : agentAdmission(host, options.agent ?? []);
    const service = await serveHttp<VerifiedAgent>({
      ...{ ...INFO, port, token, offer },
      ...(admit === undefined ? {} : { admit }),
    });
    announce(service.url, token, host);
    if (!controller.signal.aborted) await once(controller.signal, 'abort');
    await service.close();
    return EXIT.interrupted;
  } finally {
    stop();
    await host?.close();
    await metrics.close();
  }
}

async function offerOf(host: Host | null, agent: VerifiedAgent | null): Promise<McpOffer> {
  if (host === null) return new ConformanceOffer();
  const store = new JsonlSessionStore(path.join(host.request.paths.sessions, 'mcp'), { clock: host.clock });
  return new GovernedOffer(await openMcpSession(host, store, agent));
}

/** Chosen by the person, so that a client's configuration can hold it; else a new one each time. */
function tokenOf({ request }: Host): string {
  const chosen = request.environment.variable(TOKEN_VARIABLE) ?? '';
  return chosen === '' ? randomBytes(TOKEN_BYTES).toString('base64url') : chosen;
}

function announce(url: string, token: string | null, host: Host | null): void {
  const chosen = host?.request.environment.variable(TOKEN_VARIABLE) ?? '';
  // A token that the person chose is known to them, and need not be on a screen.
  const bearer =
    token === null ? '' : chosen === '' ? ` · bearer ${token}` : ` · bearer from ${TOKEN_VARIABLE}`;
  process.stderr.write(`serving ${url}${bearer}\n`);
}
