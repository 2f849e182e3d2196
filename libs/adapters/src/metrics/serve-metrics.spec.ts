import { connect } from 'node:net';
import { PrometheusMetricsSink } from './prometheus-metrics-sink.js';
import { formatFor, type MetricsServer, serveMetrics } from './serve-metrics.js';

const sink = new PrometheusMetricsSink();
sink.counter('wrongstack_sessions_total');

describe('serveMetrics', () => {
  let server: MetricsServer;
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { headers, method, signal: AbortSignal.timeout(5_000) });

  beforeAll(async () => {
    server = await serveMetrics(sink, { port: 0, token: 'open-sesame' });
  });
  afterAll(() => server.close());

  it('serves the page to whoever has the token, in the format that is asked for', async () => {
    const headers = { authorization: 'Bearer open-sesame' };
    const text = await get('/metrics', headers);
    expect(text.status).toBe(200);
    expect(text.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await text.text()).toContain('wrongstack_sessions_total 1\n');
    const open = await get('/metrics', { ...headers, accept: 'application/openmetrics-text; version=1.0.0' });
    expect(open.headers.get('content-type')).toContain('application/openmetrics-text');
    expect(await open.text()).toMatch(/# EOF\n$/);
  });

  it('serves nothing to others, and nothing else', async () => {
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/metrics', { authorization: 'Bearer open' })).status).toBe(401);
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', {}, 'POST')).status).toBe(405);
  });

  it('needs no token where none is set, and listens on loopback alone', async () => {
    const open = await serveMetrics(sink, { port: 0, token: null });
    const answer = await fetch(`http://127.0.0.1:${open.port}/metrics`);
    expect(answer.status).toBe(200);
    await answer.text();
    await open.close();
  });

  it('finishes a scrape that is under way when it is closed, and waits for no reader that does not read', async () => {
    const large = new PrometheusMetricsSink({ limits: { values: 5_000, series: 50_000 } });
    for (let id = 0; id < 4_000; id += 1)
      large.histogram('wrongstack_tool_duration_seconds', 1, { tool: `tool-${id}-${'x'.repeat(60)}` });
    const slow = await serveMetrics(large, { port: 0, token: null });
    const url = `http://127.0.0.1:${slow.port}/metrics`;
    const under = await fetch(url, { headers: { accept: 'application/openmetrics-text' } });
    const deaf = connect(slow.port, '127.0.0.1');
    deaf.pause().write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n');
    deaf.on('error', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const closed = slow.close();
    expect(await under.text()).toMatch(/# EOF\n$/);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await closed;
    deaf.destroy();
  }, 20_000);

  it('takes any other wish for the plain text', () => {
    expect(formatFor(undefined)).toBe('text');
    expect(formatFor('*/*')).toBe('text');
  });
});
