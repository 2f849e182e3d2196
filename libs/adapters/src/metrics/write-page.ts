import type { PrometheusMetricsSink } from './prometheus-metrics-sink.js';
import { CONTENT_TYPES, type MetricsFormat } from './render-family.js';

/** What is used of a response of Node's. */
export interface PageResponse {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  write(text: string): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Answers a scrape piece by piece, no faster than it is read, so that a large page holds nothing else up. Ends with its reader. */
export async function writePage(
  sink: PrometheusMetricsSink,
  format: MetricsFormat,
  response: PageResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store' });
  for await (const piece of sink.expose(format)) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

function drained(response: PageResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}
