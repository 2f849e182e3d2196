import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Logger, silentLogger } from '@wrongstack/contracts';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(120_000);

/** What databases, logs and paths trip over. */
const TRICKS = [
  `'; drop table policies; --`,
  `" or 1=1 --`,
  'x\r\nset-cookie: a=b',
  '{"level":"info"}\n{"forged":true}',
  '../../etc/passwd',
  '..%2f..%2fetc',
  '%00',
  'a\u0000b',
  '\ud800',
  '%_[]*',
  '__proto__',
  'constructor',
];

describe('what callers make up', () => {
  let api: TestApi;
  let root: string;
  beforeAll(async () => {
    api = await TestApi.start();
    root = await api.person('root', ['admin', 'policyEditor', 'auditor', 'developer']);
  });
  afterAll(() => api.stop());

  const problem = (answer: { status: number; headers: Record<string, unknown> }) => {
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect([400, 404, 409, 412, 422]).toContain(answer.status);
  };

  it.each(TRICKS)('is no id of anything: %j', async (id) => {
    const written = encodeURIComponent(Buffer.from(id).toString());
    for (const url of [
      `/v1/policies/${written}`,
      `/v1/policies/${written}/draft`,
      `/v1/policies/${written}/revisions/1`,
      `/v1/replays/${written}`,
      `/v1/tasks/${written}`,
      `/v1/policies/payments/replays?cursor=${written}`,
      `/v1/tokens?cursor=${written}`,
    ]) {
      const answer = await api.request('GET', url, { token: root });
      problem(answer);
      expect(answer.status).not.toBe(500);
    }
    problem(await api.request('DELETE', `/v1/tokens/${written}`, { token: root }));
    problem(await api.request('DELETE', `/v1/agents/${written}`, { token: root }));
  });

  it.each([
    [101, 404, 'task.unknown'],
    [200, 404, 'task.unknown'],
    [201, 400, 'request.invalid'],
    [5_000, 400, 'request.invalid'],
  ])('is the id of no task, also when it is %d characters long', async (length, status, code) => {
    const id = 't-'.padEnd(length, 'a');
    for (const [method, url] of [
      ['GET', `/v1/tasks/${id}`],
      ['GET', `/v1/tasks/${id}/output`],
      ['DELETE', `/v1/tasks/${id}`],
    ] as const) {
      const answer = await api.request(method, url, { token: root });
      problem(answer);
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
    }
  });

  it.each(TRICKS)('comes back as it was given, and does nothing, as text: %j', async (name) => {
    const made = await api.request('POST', '/v1/tokens', { token: root, body: { name } });
    expect([201, 422]).toContain(made.status);
    if (made.status !== 201) return;
    const record = made.body['record'] as { id: string; name: string };
    expect(record.name).toBe(name);
    const { body } = await api.request('GET', '/v1/tokens?limit=500', { token: root });
    const items = body['items'] as { id: string; name: string }[];
    expect(items.find(({ id }) => id === record.id)?.name).toBe(name);
  });

  it('as a tag or a cursor is refused, not guessed at', async () => {
    for (const tag of ['*', 'W/"1"', '"1", "2"', '"-1"', '"1e3"', '1', '""']) {
      const answer = await api.request('PUT', '/v1/settings', {
        token: root,
        body: { oidc: null, fourEyes: true, haltOnDenials: null },
        headers: { 'if-match': tag },
      });
      expect([tag, answer.status, answer.body['code']]).toEqual([tag, 400, 'request.if_match_invalid']);
    }
    const stale = await api.request('PUT', '/v1/settings', {
      token: root,
      body: { oidc: null, fourEyes: true, haltOnDenials: null },
      headers: { 'if-match': '"999"' },
    });
    expect([stale.status, stale.body['code']]).toEqual([412, 'request.changed_meanwhile']);
    const limit = await api.request('GET', '/v1/tokens?limit=1000000', { token: root });
    expect([limit.status, limit.body['code']]).toEqual([400, 'request.invalid']);
    const unknown = await api.request('GET', '/v1/tokens?owner=root', { token: root });
    expect([unknown.status, unknown.body['code']]).toEqual([400, 'request.invalid']);
    const twice = await api.request('GET', '/v1/tokens?limit=1&limit=2', { token: root });
    expect(twice.status).toBe(400);
  });

  it.each([
    '//v1/tokens',
    '/v1//tokens',
    '/v1/../v1/tokens',
    '/v1/%2e%2e/v1/tokens',
    '/v1/.%2e/tokens',
    '/V1/tokens',
    '/v1/TOKENS',
    '/v1/tokens/',
    '/v1/tokens;x=1',
    '/v1/tokens%20',
    '/v1/tokens%00',
    '/v1/tokens#',
    '/v1/%74okens',
    '/healthz/../v1/tokens',
    '/docs/../v1/tokens',
    '\\v1\\tokens',
  ])('as a path opens nothing without a token: %s', async (url) => {
    const answer = await api.request('GET', url, {
      user: null,
      headers: {
        'x-original-url': '/healthz',
        'x-rewrite-url': '/healthz',
        'x-forwarded-for': '127.0.0.1',
        'x-http-method-override': 'GET',
      },
    });
    expect([400, 401, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('items');
  });

  it.each([
    [
      'two lengths',
      'POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header that is folded', 'GET /healthz HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n'],
    ['a header name with a blank', 'GET /healthz HTTP/1.1\r\nhost: x\r\nauthorization : y\r\n\r\n'],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['headers without end', `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(9_000)}\r\n`],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('as a request with %s is refused, and the connection closed', async (_name, request) => {
    await api.app.listen(0, '127.0.0.1').catch(() => undefined);
    // An address of TCP, since it listens on a port.
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|431) /);
    expect(answer.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
  });
});

describe('a line of the log', () => {
  it('holds nothing that a caller wrote', async () => {
    const lines: string[] = [];
    const write = (message: string, fields?: Record<string, unknown>) =>
      void lines.push(JSON.stringify({ message, ...fields }));
    const log: Logger = { ...silentLogger, info: write, warn: write, error: write };
    const api = await TestApi.start({}, undefined, { log });
    const root = await api.person('root', ['admin']);
    await api.request('GET', `/v1/policies/${encodeURIComponent('x"\r\n{"forged":1}')}?q=marker`, {
      token: root,
      headers: { 'user-agent': 'marker', 'x-request-id': 'marker\tforged' },
    });
    await api.request('POST', '/v1/tokens', { token: root, body: { name: 'marker\nforged' } });
    await api.stop();
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).not.toMatch(/forged|marker/);
  });
});
