import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@wrongstack/contracts';
import { asksForOtlp } from './asks-for-otlp.js';
import { sendMetricsTo } from './otlp-metrics.js';
import { PrometheusMetricsSink } from './prometheus-metrics-sink.js';

const DEFINITIONS = [
  { name: 'hits_total', kind: 'counter', help: 'Hits.', labels: ['where'] },
  { name: 'wait_seconds', kind: 'histogram', help: 'Wait.', labels: [], buckets: [1, 2] },
] as const;

describe('metrics over OTLP', () => {
  let server: Server;
  const bodies: { readonly url: string; readonly json: unknown }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        bodies.push({ url: request.url ?? '', json: JSON.parse(text) });
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('sends every series to the collector that the environment names', async () => {
    const { port } = server.address() as AddressInfo;
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
    try {
      const sink = new PrometheusMetricsSink({ definitions: DEFINITIONS });
      sink.counter('hits_total', 3, { where: 'a' });
      sink.histogram('wait_seconds', 1.5);
      sink.histogram('wait_seconds', 9);
      const otlp = sendMetricsTo(sink, { service: 'wrongstack-test', version: '1', log: silentLogger });
      await otlp.flush();
      await otlp.close();
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    }
    expect(bodies[0]?.url).toBe('/v1/metrics');
    const text = JSON.stringify(bodies[0]?.json);
    expect(text).toContain('{"key":"service.name","value":{"stringValue":"wrongstack-test"}}');
    expect(text).toContain('"name":"hits_total"');
    expect(text).toContain('"asDouble":3');
    expect(text).toContain('"bucketCounts":[0,1,1]');
  });

  it('is asked for by an endpoint or by name, and by nothing else', () => {
    expect(asksForOtlp('metrics', {})).toBe(false);
    expect(asksForOtlp('metrics', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' })).toBe(true);
    expect(asksForOtlp('metrics', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318' })).toBe(false);
    expect(asksForOtlp('traces', { OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true);
    expect(
      asksForOtlp('traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' }),
    ).toBe(false);
    expect(
      asksForOtlp('traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }),
    ).toBe(false);
  });
});
