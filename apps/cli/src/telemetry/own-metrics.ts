import { createJsonLogger, PatternSecretScrubber, PrometheusMetricsSink } from '@wrongstack/adapters';
import { type Logger, messageOf, systemClock } from '@wrongstack/contracts';
import { DEFAULT_CONFIG, loadConfig } from '@wrongstack/kernel';
import { boot } from '../app/boot.js';
import type { BootRequest } from '../app/boot-request.js';
import { fileLog } from '../app/file-log.js';
import type { Host } from '../app/host.js';
import { VERSION } from '../version.js';
import { HostMetrics } from './host-metrics.js';

/** Whoever has it may read the page; the name is the same as for the API and its workers. */
const TOKEN_VARIABLE = 'WRONGSTACK_SCRAPE_TOKEN';

/** The page of a process that runs for long, and what all its hosts count. */
export interface OwnMetrics {
  /** What this host counts is on the page, and what it has until it is closed. */
  boot(request: BootRequest): Promise<Host>;
  close(): Promise<void>;
}

/**
 * Serves `/metrics` on loopback where `--metrics-port`, or `metrics.port` of the person's configuration, asks for it; else hosts are booted as
 * anywhere. A port that is taken is said and no reason to end: an editor opens several windows, each with a process of its own.
 */
export async function startOwnMetrics(
  request: BootRequest,
  role: 'acp' | 'mcp',
  asked: number | undefined,
): Promise<OwnMetrics> {
  const config = await ownConfig(request);
  const port = asked ?? config.metrics?.port;
  if (port === undefined) return { boot, close: async () => undefined };
  const log = logOf(request, config.log.level);
  const sink = new PrometheusMetricsSink({ log });
  const hosts = new HostMetrics(sink);
  sink.gauge('wrongstack_build_info', 1, { version: VERSION, node: process.version, role });
  const close = await serve(sink, port, request.environment.variable(TOKEN_VARIABLE) || null, log);
  return {
    async boot(wanted) {
      const host = await boot({ ...wanted, metrics: sink });
      const leave = hosts.add(host);
      return {
        ...host,
        close: () => {
          leave();
          return host.close();
        },
      };
    },
    close,
  };
}

async function serve(
  sink: PrometheusMetricsSink,
  port: number,
  token: string | null,
  log: Logger,
): Promise<() => Promise<void>> {
  const { serveMetrics } = await import('@wrongstack/adapters/metrics');
  const { processMetrics } = await import('@wrongstack/adapters/metrics/process');
  sink.addPage(processMetrics());
  try {
    const server = await serveMetrics(sink, { port, token });
    const bearer = token === null ? '' : ` · bearer from ${TOKEN_VARIABLE}`;
    say(`metrics on http://127.0.0.1:${server.port}/metrics${bearer}`);
    return () => server.close();
  } catch (error) {
    const message = `metrics are not served: port ${port} of 127.0.0.1: ${messageOf(error)}`;
    log.warn(message);
    say(`! ${message}; --metrics-port takes another`);
    return async () => undefined;
  }
}

/** A file that cannot be read is each session's to say, with the folder that it is for. */
async function ownConfig({ paths, overrides }: BootRequest) {
  const read = loadConfig({ userFile: paths.userConfig, projectFile: null, overrides });
  return read.then(
    ({ config }) => config,
    () => DEFAULT_CONFIG,
  );
}

function logOf({ debug, paths }: BootRequest, level: 'debug' | 'info' | 'warn' | 'error'): Logger {
  const scrubber = new PatternSecretScrubber();
  const write = debug ? (line: string) => void process.stderr.write(line) : fileLog(paths.log);
  return createJsonLogger({ level: debug ? 'debug' : level, write, scrubber, clock: systemClock });
}

/** Stdout is the protocol's. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
