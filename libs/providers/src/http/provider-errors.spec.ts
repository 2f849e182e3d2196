import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderError } from '@wrongstack/contracts';
import { anthropicFormat } from '../anthropic/anthropic-format.js';
import { openAiChatFormat } from '../openai/openai-chat-format.js';
import { collectStream, sampleRequest } from '../testing/collect-stream.js';
import { startLoopbackModelServer, type LoopbackModelServer } from '../testing/loopback-model-server.js';
import type { LoopbackTurn } from '../testing/model-turn-script.js';
import { WireFormatProvider, type WireFormatProviderOptions } from '../wire-format-provider.js';
import { endpointOf } from './endpoint.js';
import { excerpt } from './excerpt.js';

const KEY = 'sk-ant-SECRET0123456789';

describe('errors of a model server', () => {
  let server: LoopbackModelServer;
  beforeEach(async () => {
    server = await startLoopbackModelServer();
  });
  afterEach(() => server.close());

  const failing = (options: WireFormatProviderOptions) =>
    collectStream(new WireFormatProvider(anthropicFormat, options), sampleRequest()).then(
      () => Promise.reject(new Error('it did not fail')),
      (thrown: unknown) => thrown as ProviderError,
    );
  const failure = (turn: LoopbackTurn, options: WireFormatProviderOptions = {}) => {
    server.push(turn);
    return failing({ apiKey: KEY, baseUrl: server.anthropicUrl, now: () => 1_000_000_000_000, ...options });
  };

  it.each([
    [400, 'provider.bad_request', false],
    [401, 'provider.auth', false],
    [403, 'provider.auth', false],
    [404, 'provider.bad_request', false],
    [413, 'provider.context_too_long', false],
    [422, 'provider.bad_request', false],
    [408, 'provider.unreachable', true],
    [429, 'provider.rate_limited', true],
    [500, 'provider.overloaded', true],
    [502, 'provider.overloaded', true],
    [529, 'provider.overloaded', true],
  ])('status %i is %s', async (status, code, retryable) => {
    const error = await failure({ status, body: '{"error":{"type":"t","message":"because"}}' });
    expect(error).toMatchObject({ name: 'ProviderError', code, status, retryable });
    expect(error.message).not.toMatch(/\n/);
    expect(error.message).toContain(server.host);
  });

  it('names the credential of a refused key, and never shows the key', async () => {
    const body = JSON.stringify({
      error: { message: `Incorrect API key provided: ${KEY}, sk-proj-ab****xyz9.` },
    });
    const error = await failure({ status: 401, body }, { credential: 'WORK_KEY' });
    expect(error.message).toMatch(/^key refused \(401\) by 127\.0\.0\.1:\d+: Incorrect API key/);
    expect(error.hint).toBe('check WORK_KEY');
    expect(error.message).not.toMatch(/SECRET|xyz9/);
  });

  it.each([
    ['12', 12_000],
    ['0.5', 500],
    [new Date(1_000_000_030_000).toUTCString(), 30_000],
    [new Date(1).toUTCString(), 0],
    ['99999999', 3_600_000],
    ['soon', undefined],
  ])('reads retry-after: %s', async (value, retryAfterMs) => {
    const error = await failure({ status: 429, headers: { 'retry-after': value } });
    expect(error.retryAfterMs).toBe(retryAfterMs);
    expect(error.message).toMatch(/^model busy \(429\) at /);
  });

  it('does not wait for a quota that is used up', async () => {
    const error = await failure({
      status: 429,
      body: '{"error":{"code":"insufficient_quota","message":"pay"}}',
    });
    expect(error).toMatchObject({ code: 'provider.rate_limited', retryable: false });
  });

  it('tells a request that is too long from one that is wrong', async () => {
    const error = await failure({
      status: 400,
      body: '{"error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}',
    });
    expect(error.code).toBe('provider.context_too_long');
  });

  it('bounds and cleans what a server says', async () => {
    const error = await failure({ status: 500, body: `{"message":"\\u001b[31m${'x'.repeat(100_000)}"}` });
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).not.toMatch(/[\u0000-\u001f]/);
    expect((await failure({ status: 502, body: '<html><body>Bad gateway</body></html>' })).message).toMatch(
      /^model unavailable \(502\) at 127\.0\.0\.1:\d+$/,
    );
  });

  it('does not follow a redirect with the key', async () => {
    const other = await startLoopbackModelServer([{ text: 'stolen' }]);
    const error = await failure({ status: 307, headers: { location: `${other.anthropicUrl}/v1/messages` } });
    expect(error).toMatchObject({ code: 'provider.bad_request', retryable: false });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('says what an error event in the stream says', async () => {
    const event = (type: string) =>
      `event: error\ndata: {"type":"error","error":{"type":"${type}","message":"no"}}\n\n`;
    expect(await failure({ rawStream: event('overloaded_error') })).toMatchObject({
      code: 'provider.overloaded',
      retryable: true,
    });
    expect(await failure({ rawStream: event('invalid_request_error') })).toMatchObject({
      code: 'provider.bad_request',
      retryable: false,
    });
  });

  it('refuses an answer that is no event stream', async () => {
    const error = await failure({
      headers: { 'content-type': 'text/html' },
      rawStream: '<html>log in</html>',
    });
    expect(error).toMatchObject({ code: 'provider.malformed', retryable: false });
  });

  it('names a host that refuses connections', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const error = await failing({ baseUrl: `http://127.0.0.1:${port}` });
    expect(error).toMatchObject({
      code: 'provider.unreachable',
      retryable: true,
      message: `model unreachable: 127.0.0.1:${port} refused`,
      hint: 'wstack diag',
    });
  });

  it('asks for a key before it asks the server', async () => {
    expect(await failing({})).toMatchObject({
      code: 'provider.auth',
      retryable: false,
      message: 'no key for api.anthropic.com',
    });
  });

  it('does not quote a key that cannot be sent', async () => {
    const error = await failing({ baseUrl: server.anthropicUrl, apiKey: 'sk-öps\nx' });
    expect(error).toMatchObject({ code: 'provider.auth', retryable: false });
    expect(error.message).not.toContain('öps');
    expect(server.requests).toEqual([]);
  });
});

describe('base URLs', () => {
  const url = (base: string, insecure = false) => endpointOf(base, '/v1/messages', insecure).url.href;

  it.each([
    ['https://host.example', 'https://host.example/v1/messages'],
    ['https://host.example/v1/', 'https://host.example/v1/messages'],
    ['https://host.example/proxy/', 'https://host.example/proxy/v1/messages'],
    ['https://host.example/x?api-version=1#f', 'https://host.example/x/v1/messages?api-version=1'],
    ['http://localhost:1234', 'http://localhost:1234/v1/messages'],
    ['http://[::1]:1', 'http://[::1]:1/v1/messages'],
    ['http://0x7f.1', 'http://127.0.0.1/v1/messages'],
  ])('%s', (base, expected) => expect(url(base)).toBe(expected));

  it.each([
    'nonsense',
    'ftp://host',
    'file:///etc/passwd',
    'http://host.example',
    'http://127.0.0.1.evil.example',
  ])('refuses %s', (base) =>
    expect(() => url(base)).toThrow(expect.objectContaining({ code: 'provider.bad_base_url' })),
  );

  it('does not show credentials in an address', () => {
    expect(() => url('https://user:hunter2@host.example')).toThrow(/^(?!.*hunter2)/);
  });

  it('sends in clear text only where that was asked for', () => {
    expect(url('http://host.example', true)).toBe('http://host.example/v1/messages');
  });

  it('keeps the path of the other formats behind a base with a version', () => {
    expect(new WireFormatProvider(openAiChatFormat, { baseUrl: 'https://h.example/v1' }).endpoint).toBe(
      'h.example',
    );
    expect(endpointOf('https://h.example/v1', '/chat/completions', false).url.href).toBe(
      'https://h.example/v1/chat/completions',
    );
  });
});

describe('excerpts', () => {
  it('mask what looks like a key', () => {
    expect(excerpt('Bearer abcdef123456 and sk-live-abcdef and ?key=AIzaSyA0123456789x&a=1', [])).toBe(
      '*** and *** and ?key=***&a=1',
    );
  });
});
