import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

describe('spans of the API', () => {
  const exporter = new InMemorySpanExporter();
  let api: TestApi;
  let auditor: string;
  beforeAll(async () => {
    api = await TestApi.start({}, undefined, { spans: new SimpleSpanProcessor(exporter) });
    auditor = await api.person('grace', ['auditor']);
  });
  afterEach(() => exporter.reset());
  afterAll(() => api.stop());

  /** `name < name of its parent`, in the order of their ends. */
  function lines(): string[] {
    const spans = exporter.getFinishedSpans();
    const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    return spans.map(
      ({ name, parentSpanContext }) => `${name} < ${names.get(parentSpanContext?.spanId ?? '') ?? 'nothing'}`,
    );
  }
  const call = (command: string, more = {}, headers = {}) =>
    api.request('POST', '/v1/tools/bash/calls', { body: { input: { command, ...more } }, headers });

  it('go from the request to the tool call and its decision, in the caller’s trace', async () => {
    await call('echo a-secret-word', {}, CALLER);
    expect(lines()).toEqual([
      'decision < execute_tool bash',
      'execute_tool bash < POST /v1/tools/:name/calls',
      'POST /v1/tools/:name/calls < nothing',
    ]);
    const spans = exporter.getFinishedSpans();
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
    expect(spans.at(-1)?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/tools/:name/calls',
      'http.response.status_code': 200,
    });
    expect(
      JSON.stringify(spans.map(({ name, attributes, events }) => [name, attributes, events])),
    ).not.toContain('secret');
  });

  it('go on into the queue and the task that it hands over', async () => {
    const { body } = await call('echo hi', { run_in_background: true });
    const { id } = body['task'] as { readonly id: string };
    while (!lines().some((line) => line.startsWith('run bash'))) await new Promise(setImmediate);
    expect(lines().filter((line) => !line.startsWith('GET'))).toEqual(
      expect.arrayContaining(['queue bash < execute_tool bash', 'run bash < queue bash']),
    );
    const run = exporter.getFinishedSpans().find(({ name }) => name === 'run bash');
    expect(run?.attributes).toMatchObject({ 'wrongstack.task': id, 'wrongstack.task.state': 'completed' });
  });

  it('are there for a decision about a call that others run, and not for probes and scrapes', async () => {
    const agent = await api.agent(await api.person('dana', ['developer']));
    exporter.reset();
    await api.request('GET', '/healthz');
    await api.request('GET', '/metrics', { token: auditor });
    await api.request('POST', '/v1/decisions', {
      token: agent.token,
      body: { tool: 'bash', input: { command: 'echo hi' } },
    });
    await api.request('GET', '/v1/tasks/t-nobody-has');
    expect(lines()).toEqual([
      'decision < POST /v1/decisions',
      'POST /v1/decisions < nothing',
      'GET /v1/tasks/:id < nothing',
    ]);
  });

  it('are named by the exemplars of OpenMetrics', async () => {
    await call('echo hi', {}, CALLER);
    const accept = { accept: 'application/openmetrics-text; version=1.0.0' };
    const { text } = await api.request('GET', '/metrics', { token: auditor, headers: accept });
    const exemplar = ` # {trace_id="${TRACE}"} `;
    for (const metric of ['decision_seconds', 'tool_duration_seconds', 'http_request_seconds'])
      expect(
        text
          .split('\n')
          .find((line) => line.startsWith(`wrongstack_${metric}_bucket`) && line.includes(exemplar)),
      ).toBeDefined();
    expect((await api.request('GET', '/metrics', { token: auditor })).text).not.toContain('trace_id');
  });
});
