import { Controller, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { buildDocument } from '../openapi/build-document.js';
import { foundRoutes } from '../openapi/found-routes.handler.js';
import { CONTROLLERS, openApiDocument } from '../api.module.js';
import { Get } from '@nestjs/common';
import { type CompiledRoute, ROUTE } from './compiled-route.js';
import { IdempotencyInterceptor } from './idempotency.handler.js';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(30_000);

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly required?: readonly string[];
  readonly anyOf?: readonly unknown[];
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >;
}

describe('what holds for every route', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start();
  });
  afterAll(() => api.stop());

  const operations = (): [string, string, Operation][] =>
    Object.entries(openApiDocument().content['paths'] as Record<string, Record<string, Operation>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, one]) => [method, path, one] as [string, string, Operation]),
    );

  it('is in the OpenAPI document, with problems for everything that can go wrong', async () => {
    const { body } = await api.request('GET', '/docs/openapi.json', { user: null });
    expect(body['openapi']).toBe('3.1.0');
    expect(operations().length).toBeGreaterThan(5);
    for (const [, , { responses }] of operations()) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) >= 400) expect(Object.keys(content ?? {})).toContain('application/problem+json');
      }
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '500', '503']));
    }
  });

  it('says of each answer what it holds, down to its last member', () => {
    const vague = (schema: unknown, path: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const { type, properties, additionalProperties, items, required = [], ...rest } = schema as Schema;
      const named = Object.keys(properties ?? {});
      const isObject = [type].flat().includes('object');
      return [
        ...(isObject && properties === undefined && additionalProperties === undefined ? [path] : []),
        ...(type === 'array' && items === undefined ? [`${path}[]`] : []),
        ...required.filter((name) => !named.includes(name)).map((name) => `${path}/${name}`),
        ...named.flatMap((name) => vague(properties?.[name], `${path}/${name}`)),
        ...vague(items, `${path}[]`),
        ...(rest.anyOf ?? []).flatMap((one) => vague(one, path)),
      ];
    };
    const found = operations().flatMap(([, , { operationId, responses }]) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        vague(content['application/json']?.schema, `${operationId} ${status} `),
      ),
    );
    // The document itself: whoever reads it knows what it is.
    expect(found).toEqual(['docsJson 200 ']);
  });

  it('has a name of its own', () => {
    const names = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('asks who one is, unless its contract says that it is public', async () => {
    for (const [method, path, { security }] of operations()) {
      const url = path.replace(/\{\w+\}/g, 'x');
      const { status, body } = await api.request(method.toUpperCase() as 'GET', url, { user: null });
      if (security === undefined)
        expect([method, url, status, body['code']]).toEqual([method, url, 401, 'auth.required']);
      else expect(status).not.toBe(401);
    }
  });

  it('does not start with a handler that has no contract', () => {
    @Controller('open')
    class OpenController {
      @Get('door')
      door(): string {
        return 'come in';
      }
    }
    const routes = foundRoutes([...CONTROLLERS, OpenController as Type]);
    expect(() => buildDocument('1', routes)).toThrow(
      expect.objectContaining({
        code: 'api.route_unguarded',
        message: expect.stringContaining('OpenController.door'),
      }),
    );
  });

  it.each([
    '//v1/tasks',
    '/V1/tasks',
    '/v1/tasks/',
    '/v1%2ftasks',
    '/v1/tasks;x',
    '/v1/./tasks',
    '/v1/../v1/tasks',
  ])('is not reached without a token by another spelling: %s', async (url) => {
    const { status } = await api.request('GET', url, { user: null });
    expect([401, 404]).toContain(status);
  });

  it('answers with the request id, and takes one that is harmless', async () => {
    const own = await api.request('GET', '/healthz', { headers: { 'x-request-id': 'abc-1' } });
    expect(own.headers['x-request-id']).toBe('abc-1');
    const bad = await api.request('GET', '/healthz', { headers: { 'x-request-id': 'a b"\tc' } });
    expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('lets pages load nothing but our own files, and no other origin read answers', async () => {
    const { headers, text } = await api.request('GET', '/docs', { user: null });
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).not.toMatch(/<script>/);
    const asked = await api.request('GET', '/healthz', { headers: { origin: 'https://evil.example' } });
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    expect((await api.request('GET', '/docs/assets/swagger-ui.css')).status).toBe(200);
    expect((await api.request('GET', '/docs/assets/..%2fpackage.json')).status).toBe(404);
  });

  // As helmet sets them. A page of metrics is written past Fastify, and a refusal, an unknown address and a body that is no JSON never
  // reach a handler.
  it.each<[string, 'GET' | 'POST', string, object]>([
    ['an answer', 'GET', '/healthz', {}],
    ['a page of metrics', 'GET', '/metrics', {}],
    ['a refusal', 'GET', '/v1/decisions', { authorization: '' }],
    ['an unknown address', 'GET', '/nowhere/at/all', {}],
    ['a body that is no JSON', 'POST', '/v1/decisions', { 'content-type': 'application/json' }],
  ])('has the same headers of security: %s', async (_name, method, url, given) => {
    const headers = { authorization: 'Bearer ada', ...given };
    const answer = await api.app.inject({
      method,
      url,
      headers,
      ...(method === 'POST' ? { payload: '{' } : {}),
    });
    expect(answer.headers).toMatchObject({
      'content-security-policy':
        "default-src 'self';base-uri 'none';font-src 'self' https: data:;form-action 'self';frame-ancestors 'none';" +
        "img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' 'unsafe-inline';" +
        "upgrade-insecure-requests;connect-src 'self'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-frame-options': 'SAMEORIGIN',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    });
  });

  it('has an interceptor only where its contract promises the first answer again', () => {
    const wrapped = CONTROLLERS.flatMap(({ prototype }: Type<object>) =>
      Object.getOwnPropertyNames(prototype).flatMap((name) => {
        const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
        if (typeof method !== 'function') return [];
        const route = Reflect.getMetadata(ROUTE, method) as CompiledRoute | undefined;
        const around = Reflect.getMetadata(INTERCEPTORS_METADATA, method) as unknown;
        return route === undefined ? [] : [{ promise: route.contract.idempotency, around }];
      }),
    );
    expect(wrapped.length).toBeGreaterThan(20);
    for (const { promise, around } of wrapped)
      expect([promise, around]).toEqual([
        promise,
        promise === 'replay' || promise === 'once' ? [IdempotencyInterceptor] : undefined,
      ]);
  });

  it.each<[string, unknown, number, string]>([
    ['an unknown field', { input: {}, inputt: {} }, 422, '/inputt'],
    ['a field of another type', { input: 3 }, 422, '/input'],
    ['no body', undefined, 422, 'body'],
  ])('names the field: %s', async (_name, body, status, field) => {
    const answer = await api.request('POST', '/v1/tools/bash/calls', { body });
    expect(answer.status).toBe(status);
    expect(answer.body['code']).toBe('request.invalid');
    expect(answer.body['detail']).toContain(field);
  });

  it('refuses keys that reach a prototype', async () => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/v1/tools/bash/calls',
      headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
      payload: '{"input":{"a":{"constructor":{"x":1}}}}',
    });
    expect([400, 422]).toContain(answer.statusCode);
  });

  it('refuses what is no JSON, too large, or another type, each with its status', async () => {
    const send = (payload: string, type = 'application/json') =>
      api.app.inject({
        method: 'POST',
        url: '/v1/tools/bash/calls',
        headers: { authorization: 'Bearer ada', 'content-type': type },
        payload,
      });
    expect((await send('{')).statusCode).toBe(400);
    expect((await send(`{"input":{"a":"${'x'.repeat(5_000_000)}"}}`)).statusCode).toBe(413);
    expect((await send('<a/>', 'application/xml')).statusCode).toBe(415);
  });

  it('stops a flood from one address, and says for how long', async () => {
    const small = await TestApi.start({}, undefined, { requestsPerMinute: 3 });
    try {
      for (let count = 0; count < 3; count++)
        expect((await small.request('GET', '/healthz')).status).toBe(200);
      const { status, headers, body } = await small.request('GET', '/healthz');
      expect([status, body['code']]).toEqual([429, 'request.too_many']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await small.stop();
    }
  });
});
