import { createHash, randomBytes } from 'node:crypto';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

function refresh() {
  const token = `wsr_${randomBytes(32).toString('base64url')}`;
  return { token, hash: `sha256:${createHash('sha256').update(token).digest('hex')}` };
}

const CLIENT = { name: 'wstack', version: '0.1.0', platform: 'linux-x64', host: 'laptop' };

describe('enrolment', () => {
  let api: TestApi;
  let dana: string;
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer'], ['payments', 'infra']);
  });
  afterAll(() => api.stop());

  const post = (url: string, body: unknown, token?: string) =>
    api.request('POST', url, token === undefined ? { user: null, body } : { token, body });

  async function startDevice(first = refresh()) {
    const { status, body } = await post('/v1/enrolments', { client: CLIENT, refreshHash: first.hash });
    expect(status).toBe(201);
    return { ...body, first } as Record<string, unknown> & {
      first: typeof first;
      deviceCode: string;
      userCode: string;
    };
  }

  it('by a code: the device waits, a person looks and confirms, the device is an agent', async () => {
    const { deviceCode, userCode, verificationUriComplete } = await startDevice();
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(String(verificationUriComplete)).toContain(userCode);
    const waiting = await post('/v1/enrolments/token', { deviceCode });
    expect([waiting.status, waiting.body['code']]).toEqual([400, 'enrolment.pending']);

    const shown = await api.request('GET', `/v1/enrolments/${userCode.toLowerCase()}`, { token: dana });
    expect(shown.body).toMatchObject({ client: CLIENT, state: 'pending' });
    const decided = await post(`/v1/enrolments/${userCode}/decision`, { approve: true, team: 'infra' }, dana);
    expect(decided.body).toMatchObject({ state: 'approved' });

    const { status, body } = await post('/v1/enrolments/token', { deviceCode });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      principal: { id: 'dana', teams: ['infra'] },
      scope: 'team:infra',
      organisation: 'default',
    });
    expect(body['rootKey']).toMatch(/^[\w-]{43}$/);
    const who = await api.request('GET', '/v1/whoami', { token: String(body['accessToken']) });
    expect(who.body).toMatchObject({ agent: body['agent'], scope: 'team:infra' });
  });

  it('whose answer was lost can be asked for again, and is the same agent', async () => {
    const { deviceCode, userCode } = await startDevice();
    await post(`/v1/enrolments/${userCode}/decision`, { approve: true }, dana);
    const first = await post('/v1/enrolments/token', { deviceCode });
    const second = await post('/v1/enrolments/token', { deviceCode });
    expect(second.body['agent']).toEqual(first.body['agent']);
  });

  it('ends where somebody says no, where the code is old, and where the team is not theirs', async () => {
    const no = await startDevice();
    await post(`/v1/enrolments/${no.userCode}/decision`, { approve: false }, dana);
    expect((await post('/v1/enrolments/token', { deviceCode: no.deviceCode })).body['code']).toBe(
      'enrolment.denied',
    );
    const foreign = await startDevice();
    const decided = await post(
      `/v1/enrolments/${foreign.userCode}/decision`,
      { approve: true, team: 'board' },
      dana,
    );
    expect([decided.status, decided.body['code']]).toEqual([422, 'enrolment.team']);
    const old = await startDevice();
    api.clock.forward(16 * 60_000);
    expect((await post(`/v1/enrolments/${old.userCode}/decision`, { approve: true }, dana)).status).toBe(410);
    expect((await post('/v1/enrolments/token', { deviceCode: old.deviceCode })).body['code']).toBe(
      'enrolment.expired',
    );
  });

  it('needs a person: a stranger can neither look at a code nor confirm it', async () => {
    const { userCode } = await startDevice();
    expect((await api.request('GET', `/v1/enrolments/${userCode}`, { user: null })).status).toBe(401);
    expect((await post(`/v1/enrolments/${userCode}/decision`, { approve: true })).status).toBe(401);
  });

  describe('of an agent that is enrolled', () => {
    async function enrolled() {
      const first = refresh();
      const { status, body } = await post('/v1/agents', { client: CLIENT, refreshHash: first.hash }, dana);
      expect(status).toBe(201);
      return { first, agent: (body['agent'] as { id: string }).id, access: String(body['accessToken']) };
    }

    it('lasts an hour, and goes on with the refresh secret', async () => {
      const { first, access, agent } = await enrolled();
      const next = refresh();
      api.clock.forward(61 * 60_000);
      expect((await api.request('GET', '/v1/whoami', { token: access })).status).toBe(401);
      const { status, body } = await post('/v1/agents/token', {
        refreshToken: first.token,
        nextHash: next.hash,
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ agent: { id: agent } });
      expect((await api.request('GET', '/v1/whoami', { token: String(body['accessToken']) })).status).toBe(
        200,
      );
    });

    it('survives a lost answer, and not a stolen secret', async () => {
      const { first, access } = await enrolled();
      const next = refresh();
      const pair = { refreshToken: first.token, nextHash: next.hash };
      expect((await post('/v1/agents/token', pair)).status).toBe(200);
      expect((await post('/v1/agents/token', pair)).status).toBe(200);
      const theft = await post('/v1/agents/token', { refreshToken: first.token, nextHash: refresh().hash });
      expect([theft.status, theft.body['code']]).toEqual([401, 'agent.revoked']);
      expect(
        (await post('/v1/agents/token', { refreshToken: next.token, nextHash: refresh().hash })).status,
      ).toBe(401);
      expect((await api.request('GET', '/v1/whoami', { token: access })).status).toBe(401);
    });

    it('ends when its owner or an admin revokes it, and nobody else can', async () => {
      const { agent, access } = await enrolled();
      const eve = await api.person(`eve-${agent}`, ['developer']);
      expect((await api.request('DELETE', `/v1/agents/${agent}`, { token: eve })).status).toBe(404);
      expect((await api.request('GET', '/v1/agents', { token: eve })).body['items']).toEqual([]);
      expect((await api.request('DELETE', `/v1/agents/${agent}`, { token: dana })).status).toBe(204);
      expect((await api.request('GET', '/v1/whoami', { token: access })).status).toBe(401);
    });

    it('may not enrol others or rule anything', async () => {
      const { access } = await enrolled();
      expect((await post('/v1/agents', { client: CLIENT, refreshHash: refresh().hash }, access)).status).toBe(
        403,
      );
      expect((await api.request('GET', '/v1/users', { token: access })).status).toBe(403);
    });
  });
});
