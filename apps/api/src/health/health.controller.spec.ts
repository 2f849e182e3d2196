import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TestApi } from '../test-api.spec-support.js';

describe('/healthz', () => {
  let api: TestApi;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    api = await TestApi.start();
    app = api.app;
  });
  afterAll(() => api.stop());

  it('says ok', async () => {
    const response = await app.inject({ method: 'GET', url: '/healthz' });

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ok' });
  });

  it('is the only thing there', async () => {
    expect((await app.inject({ method: 'GET', url: '/' })).statusCode).toBe(404);
  });
});
