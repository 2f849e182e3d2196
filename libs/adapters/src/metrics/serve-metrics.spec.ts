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

  it('takes any other wish for the plain text', () => {
    expect(formatFor(undefined)).toBe('text');
    expect(formatFor('*/*')).toBe('text');
  });
});
