import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestApi } from '../test-api.spec-support.js';
import { CREATE_EXAMPLE } from './approval-examples.js';

jest.setTimeout(60_000);

const DIGEST = CREATE_EXAMPLE.digest;
let made = 0;

describe('approvals', () => {
  let api: TestApi;
  let dana: string;
  let agent: { id: string; token: string };
  let olga: string;
  let omar: string;
  let other: string;
  let auditor: string;
  beforeAll(async () => {
    api = await TestApi.start();
    dana = await api.person('dana', ['developer', 'approver'], ['platform-oncall']);
    agent = await api.agent(dana);
    olga = await api.person('olga', ['approver'], ['platform-oncall']);
    omar = await api.person('omar', ['approver'], ['platform-oncall']);
    other = await api.person('otto', ['approver', 'developer']);
    auditor = await api.person('aud', ['auditor']);
  });
  afterAll(() => api.stop());

  const id = () => `ap-${String((made += 1)).padStart(12, '0')}`;
  const post = (url: string, body: unknown, token: string) =>
    api.request('POST', `/v1/approvals${url}`, { token, body });
  const ask = (change: Record<string, unknown> = {}) =>
    post('', { ...CREATE_EXAMPLE, id: id(), ...change }, agent.token);
  const asked = async (change: Record<string, unknown> = {}) => String((await ask(change)).body['id']);
  const say = (one: string, token: string, decision = 'approve') =>
    post(`/${one}/decisions`, { decision }, token);
  const use = (one: string, name: string, digest: string = DIGEST, token = agent.token) =>
    post(`/${one}/use`, { digest, use: name }, token);
  const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
    status,
    body['code'] ?? body['state'],
  ];

  it('are asked for by an agent, answered by N others, and used once', async () => {
    const { status, body } = await ask();
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...CREATE_EXAMPLE, id: body['id'], state: 'pending', need: 2, have: 0 });
    expect(body['requester']).toEqual({ id: 'dana', name: 'dana' });
    const one = String(body['id']);
    expect(outcome(await use(one, 'u1'))).toEqual([409, 'approval.not_approved']);
    expect((await say(one, olga)).body).toMatchObject({ state: 'pending', have: 1 });
    expect(outcome(await say(one, olga))).toEqual([409, 'approval.closed']);
    expect((await say(one, omar)).body).toMatchObject({
      state: 'approved',
      decisions: [{ by: 'olga' }, { by: 'omar' }],
    });
    expect(outcome(await use(one, 'u1', `sha256:${'0'.repeat(64)}`))).toEqual([409, 'approval.digest']);
    expect(outcome(await use(one, 'u1'))).toEqual([200, 'used']);
  });

  it('say whose answer would be taken', async () => {
    const one = await asked({ approvers: { count: 2, from: ['platform-oncall'], excludeRequester: true } });
    const may = async (token: string) =>
      (await api.request('GET', `/v1/approvals/${one}`, { token })).body['mayDecide'];
    expect(await Promise.all([olga, omar, dana, other, auditor].map(may))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    await say(one, olga);
    expect([await may(olga), await may(omar)]).toEqual([false, true]);
    await say(one, omar, 'reject');
    expect(await may(omar)).toBe(false);
  });

  it('whose answer was lost are the same use, and another use is refused', async () => {
    const one = await asked({ approvers: { count: 1, from: [], excludeRequester: true } });
    await say(one, olga);
    expect(outcome(await use(one, 'mine'))).toEqual([200, 'used']);
    expect(outcome(await use(one, 'mine'))).toEqual([200, 'used']);
    expect(outcome(await use(one, 'another'))).toEqual([409, 'approval.used']);
    const second = await api.agent(dana);
    expect(outcome(await use(one, 'mine', DIGEST, second.token))).toEqual([409, 'approval.used']);
  });

  it('are used once, however many ask at the same time', async () => {
    const one = await asked({ approvers: { count: 1, from: [], excludeRequester: true } });
    await say(one, olga);
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => use(one, `race-${n}`)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
  });

  it('are never answered by the one who asked, by whatever way', async () => {
    const one = await asked();
    expect(outcome(await say(one, dana))).toEqual([403, 'approval.own_request']);
    const laptop = await api.agent(dana);
    expect(outcome(await say(one, laptop.token))).toEqual([403, 'approval.own_request']);
  });

  it('are answered by those who were asked alone', async () => {
    const one = await asked();
    expect(outcome(await say(one, other))).toEqual([403, 'approval.not_asked']);
    expect(outcome(await say(one, auditor))).toEqual([403, 'auth.forbidden']);
    const byName = await asked({ approvers: { count: 1, from: ['otto'], excludeRequester: true } });
    expect(outcome(await say(byName, other))).toEqual([200, 'approved']);
    const byRole = await asked({ approvers: { count: 1, from: ['approver'], excludeRequester: true } });
    expect(outcome(await say(byRole, other, 'reject'))).toEqual([200, 'rejected']);
    expect(outcome(await say(byRole, olga))).toEqual([409, 'approval.closed']);
  });

  it('sent again are the same request, and their id belongs to who made it', async () => {
    const mine = await asked();
    expect((await ask({ id: mine })).status).toBe(201);
    expect(outcome(await ask({ id: mine, digest: `sha256:${'1'.repeat(64)}` }))).toEqual([
      409,
      'approval.id_taken',
    ]);
    expect(outcome(await post('', { ...CREATE_EXAMPLE, id: mine }, other))).toEqual([
      409,
      'approval.id_taken',
    ]);
  });

  it('end when their time is over', async () => {
    const one = await asked({ ttlMinutes: 5, approvers: { count: 1, from: [], excludeRequester: true } });
    await say(one, olga);
    api.clock.forward(5 * 60_000);
    expect(outcome(await use(one, 'late'))).toEqual([409, 'approval.expired']);
    expect(await api.control.sweep.sweep()).toBeGreaterThan(0);
    const shown = await api.request('GET', `/v1/approvals/${one}`, { token: agent.token });
    expect(shown.body['state']).toBe('expired');
  });

  it('are withdrawn by their requester, until they are decided', async () => {
    const one = await asked();
    const away = (token: string) => api.request('DELETE', `/v1/approvals/${one}`, { token });
    expect(outcome(await away(other))).toEqual([403, 'auth.forbidden']);
    expect(outcome(await away(agent.token))).toEqual([200, 'withdrawn']);
    expect(outcome(await away(agent.token))).toEqual([409, 'approval.closed']);
    expect(outcome(await say(one, olga))).toEqual([409, 'approval.closed']);
  });

  it('of others look like none to those who neither answer nor audit', async () => {
    const one = await asked();
    const stranger = await api.person(`stranger-${one}`, ['developer']);
    expect(outcome(await api.request('GET', `/v1/approvals/${one}`, { token: stranger }))).toEqual([
      404,
      'approval.unknown',
    ]);
    expect(outcome(await use(one, 'stolen', DIGEST, stranger))).toEqual([404, 'approval.unknown']);
    const list = async (token: string, query = '') => {
      const { body } = await api.request('GET', `/v1/approvals?state=pending${query}`, { token });
      return (body['items'] as { id: string }[]).map((item) => item.id);
    };
    expect(await list(stranger)).toEqual([]);
    expect(await list(auditor)).toContain(one);
    expect(await list(agent.token)).toContain(one);
    expect(await list(olga, '&mine=true')).toEqual([]);
  });

  it.each([
    ['an unknown field', { extra: 1 }],
    ['an id of another shape', { id: 'ap-1' }],
    ['no approver', { approvers: { count: 0, from: [], excludeRequester: true } }],
    ['a digest that is none', { digest: 'sha256:x' }],
    ['a time beyond all', { ttlMinutes: 50_000 }],
  ])('with %s are refused', async (_name, change) => {
    expect(outcome(await ask(change))).toEqual([422, 'request.invalid']);
  });

  it('tell a waiting client at once, and say 304 when nothing changes', async () => {
    const one = await asked({ approvers: { count: 1, from: [], excludeRequester: true } });
    const show = (query = '', headers: Record<string, string> = {}) =>
      api.request('GET', `/v1/approvals/${one}${query}`, { token: agent.token, headers });
    const { headers } = await show();
    const tag = String(headers['etag']);
    expect((await show('', { 'if-none-match': tag })).status).toBe(304);
    const began = Date.now();
    const waiting = show('?wait=30');
    const withTag = show('?wait=30', { 'if-none-match': tag });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await say(one, olga);
    expect((await waiting).body['state']).toBe('approved');
    expect((await withTag).body['state']).toBe('approved');
    expect(Date.now() - began).toBeLessThan(15_000);
  });

  it('are told as events, which resume where they were broken off', async () => {
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const events = (last: string | null, until: (text: string) => boolean, token = agent.token) =>
      new Promise<string>((resolve, reject) => {
        let text = '';
        const headers = {
          authorization: `Bearer ${token}`,
          ...(last === null ? {} : { 'last-event-id': last }),
        };
        const going = httpRequest({ port, path: '/v1/approvals/events', headers }, (response) => {
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
            if (!until(text)) return;
            going.destroy();
            resolve(text);
          });
        });
        going.on('error', reject).end();
      });
    const first = asked({ approvers: { count: 1, from: [], excludeRequester: true } });
    const one = await first;
    const live = events('0', (text) =>
      text.includes(`"action":"approval.requested","approval":{"id":"${one}"`),
    );
    const told = await live;
    const last = /id: (\d+)\n(?!.*id: )/s.exec(told)?.[1] ?? '';
    await say(one, olga);
    const rest = await events(last, (text) => text.includes('approval.decided'));
    expect(rest).toContain(`"id":"${one}"`);
    expect(rest).not.toContain('approval.requested');
    // Whoever does not see a request hears nothing of it.
    const stranger = await api.person('deaf', ['developer']);
    const silence = await events('0', (text) => (text.match(/still there/g) ?? []).length >= 2, stranger);
    expect(silence).not.toContain('approval.');
    const bad = await api.request('GET', '/v1/approvals/events', {
      token: olga,
      headers: { 'last-event-id': 'x' },
    });
    expect(bad.status).toBe(400);
  });
});
