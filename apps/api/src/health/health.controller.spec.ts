import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication } from '../create-application.js';

describe('/healthz', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createApplication();
    await app.init();
  });
  afterAll(() => app.close());

  it('says ok', async () => {
    const response = await app.inject({ method: 'GET', url: '/healthz' });

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ok' });
  });

  it('is the only thing there', async () => {
    expect((await app.inject({ method: 'GET', url: '/' })).statusCode).toBe(404);
  });
});
