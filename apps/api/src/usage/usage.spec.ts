import { TestApi } from '../test-api.spec-support.js';
import { dayOf } from './day-of.js';

jest.setTimeout(60_000);

const tokens = (value: number, kind = 'input') => ({
  ...{ name: 'wrongstack_model_tokens_total', labels: { provider: 'p', model: 'm', kind }, value },
});
const COUNTERS = [
  tokens(1_000),
  tokens(200, 'cache_read'),
  { name: 'wrongstack_model_cost_dollars_total', labels: { provider: 'p', model: 'm' }, value: 0.25 },
  { name: 'wrongstack_tool_calls_total', labels: { tool: 'bash', status: 'ok' }, value: 3 },
];

describe('what people and teams used up', () => {
  let api: TestApi;
  let dana: string;
  let mira: string;
  let admin: string;
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer'], ['payments']);
    mira = await api.person('mira', ['developer'], ['payments']);
    admin = await api.person('root', ['admin']);
  });
  afterAll(() => api.stop());

  let key = 0;
  const report = (token: string, more: object = {}, name = `key-${(key += 1)}`) =>
    api.request('POST', '/v1/metrics/deltas', {
      token,
      headers: { 'idempotency-key': name },
      body: { counters: COUNTERS, ...more },
    });
  const mine = async (token: string) => (await api.request('GET', '/v1/usage/mine', { token })).body;

  it('adds up over machines, and over the members of a team', async () => {
    const [laptop, desktop, other] = [await api.agent(dana), await api.agent(dana), await api.agent(mira)];
    for (const { token } of [laptop, desktop, other]) expect((await report(token)).status).toBe(200);
    const used = (times: number) => ({ tokens: 1_200 * times, costUsd: 0.25 * times, toolCalls: 3 * times });
    expect(await mine(laptop.token)).toMatchObject({
      user: { name: 'dana', day: used(2), month: used(2) },
      team: { name: 'payments', day: used(3), month: used(3) },
    });
    expect((await mine(other.token))['user']).toMatchObject({ name: 'mira', month: used(1) });
  });

  it('counts a report once, however often and by whomever it is sent at the same time', async () => {
    const laptop = await api.agent(await api.person('once', ['developer']));
    await Promise.all([1, 2, 3].map(() => report(laptop.token, {}, 'the-same')));
    expect(await mine(laptop.token)).toMatchObject({ user: { month: { tokens: 1_200 } }, team: null });
    expect((await report(laptop.token, {}, ' no key ')).status).toBe(400);
  });

  it('counts what comes late for the day that it was', async () => {
    const laptop = await api.agent(await api.person('late', ['developer']));
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await report(laptop.token, { day: yesterday });
    expect((await mine(laptop.token))['user']).toMatchObject({ day: { tokens: 0 } });
    const now = Date.parse('2026-12-01T10:00:00Z');
    expect(
      ['2026-11-30', '2026-12-02', '2026-13-77', '2020-01-01', undefined].map((day) => dayOf(day, now)),
    ).toEqual(['2026-11-30', ...Array(4).fill('2026-12-01')]);
  });

  it('is everybody’s own; who rules or audits sees all', async () => {
    const list = async (token: string, query = '') => {
      const { status, body } = await api.request('GET', `/v1/usage${query}`, { token });
      const items = (body['items'] ?? []) as { readonly name: string; readonly tokens: number }[];
      return [status, ...items.map(({ name, tokens: used }) => `${name} ${used}`)];
    };
    expect(await list(dana)).toEqual([200, 'dana 2400']);
    expect(await list(dana, '?of=team')).toEqual([200, 'payments 3600']);
    expect(await list(admin)).toEqual(expect.arrayContaining([200, 'dana 2400', 'mira 1200']));
    expect(await list(admin, '?of=team&from=2020-01-01&through=2020-12-31')).toEqual([200]);
    const approver = await api.person('otto', ['approver']);
    expect((await list(approver))[0]).toBe(403);
  });
});
