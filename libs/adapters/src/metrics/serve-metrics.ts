import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { PrometheusMetricsSink } from './prometheus-metrics-sink.js';
import type { MetricsFormat } from './render-family.js';
import { writePage } from './write-page.js';

export interface MetricsServer {
  readonly port: number;
  /** Takes no scrape any more, and finishes those that are under way, within seconds. */
  close(): Promise<void>;
}

/** A reader that takes nothing for so long must not keep a process that ends. */
const STALLED_MS = 2_000;
/** Nor one that reads by the byte: as long as Prometheus waits for a scrape. */
const LAST_SCRAPE_MS = 10_000;

export interface MetricsServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** Loopback by default: what a process does is for those on its machine. */
  readonly host?: string;
  /** Whoever scrapes must present it. Null = anybody who reaches the address. */
  readonly token: string | null;
}

/** OpenMetrics where it is asked for by name, as Prometheus does; else the text that everything reads. */
export function formatFor(accept: string | undefined): MetricsFormat {
  return /application\/openmetrics-text/.test(accept ?? '') ? 'openmetrics' : 'text';
}

/** `/metrics` of a long-running process, and nothing else. Rejects where the port is taken. */
export async function serveMetrics(
  sink: PrometheusMetricsSink,
  options: MetricsServerOptions,
): Promise<MetricsServer> {
  const { port, host = '127.0.0.1', token } = options;
  const server = createServer((request, response) => {
    answer(sink, token, request, response).catch(() => response.destroy());
  });
  server.requestTimeout = 10_000;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A scrape must not keep a command that is done.
  server.unref();
  return {
    // Listening on an address, not on a pipe.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const enough = setTimeout(() => server.closeAllConnections(), LAST_SCRAPE_MS);
        // A page that is being read takes as long as it takes: only silence counts.
        for (const socket of sockets) socket.setTimeout(STALLED_MS, () => socket.destroy());
        // Whoever has its page is not waited for.
        server.keepAliveTimeout = 1;
        server.close(() => {
          clearTimeout(enough);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

async function answer(
  sink: PrometheusMetricsSink,
  token: string | null,
  { url, method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url?.split('?')[0] !== '/metrics') return refuse(response, 404);
  if (method !== 'GET') return refuse(response, 405);
  if (token !== null && !isToken(headers.authorization, token)) {
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, 401);
  }
  await writePage(sink, formatFor(headers.accept), response);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function isToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}
