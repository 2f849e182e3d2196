import type { AddressInfo } from 'node:net';
import type { TaskId } from '@wrongstack/contracts';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(30_000);

describe('calls and tasks over HTTP', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start();
  });
  afterAll(() => api.stop());

  const call = (command: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    api.request('POST', '/v1/tools/bash/calls', {
      body: { input: { command, run_in_background: true }, ...more },
      headers,
    });

  async function started(command: string): Promise<string> {
    const { status, body } = await call(command);
    expect(status).toBe(202);
    return (body['task'] as { id: string }).id;
  }

  async function ended(id: string): Promise<Record<string, unknown>> {
    for (;;) {
      const { body } = await api.request('GET', `/v1/tasks/${id}`);
      if (body['endedAt'] !== null) return body;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('answers a call with its result', async () => {
    const { status, body } = await api.request('POST', '/v1/tools/bash/calls', {
      body: { input: { command: 'echo hello' } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', decision: { verdict: 'allow' } });
    expect(JSON.stringify(body['output'])).toContain('hello');
  });

  it('denies what needs a person, and says which rule', async () => {
    const { status, body } = await api.request('POST', '/v1/tools/bash/calls', {
      body: { input: { command: 'rm -rf x' } },
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ status: 'denied', isError: true });
    const queued = await call('rm -rf x');
    expect(queued.status).toBe(403);
  });

  it('takes a call in the background, and shows how it went', async () => {
    const id = await started('echo one; sleep 0.1; echo two');
    expect(await ended(id)).toMatchObject({ id, state: 'completed', owner: { tenant: 'acme', user: 'ada' } });
    const { body } = await api.request('GET', `/v1/tasks/${id}/output?cursor=4`);
    expect(body).toMatchObject({ text: 'two\n', from: 4, next: 8, lost: 0, done: true, state: 'completed' });
    const listed = await api.request('GET', '/v1/tasks');
    expect(JSON.stringify(listed.body)).toContain(id);
  });

  it('waits for output when asked to', async () => {
    const id = await started('sleep 0.4; echo late');
    const { body } = await api.request('GET', `/v1/tasks/${id}/output?wait=10`);
    expect(body).toMatchObject({ text: 'late\n' });
  });

  it('streams output as events that can be taken up again', async () => {
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const id = await started('echo one; sleep 0.2; echo two');
    const headers = { authorization: 'Bearer ada', accept: 'text/event-stream' };
    const url = `http://127.0.0.1:${port}/v1/tasks/${id}/output`;
    const whole = await (await fetch(url, { headers })).text();
    const texts = [...whole.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data!) as { text?: string },
    );
    expect(texts.map(({ text = '' }) => text).join('')).toBe('one\ntwo\n');
    expect(whole).toMatch(/event: end\nid: 8\ndata: \{"state":"completed"/);
    const rest = await (await fetch(url, { headers: { ...headers, 'last-event-id': '4' } })).text();
    expect(rest).toContain('"text":"two\\n"');
  });

  it('kills, and kills again without harm', async () => {
    const id = await started('echo begun; sleep 300');
    await api.request('GET', `/v1/tasks/${id}/output?wait=10`);
    expect((await api.request('DELETE', `/v1/tasks/${id}`)).status).toBe(202);
    expect(await ended(id)).toMatchObject({ state: 'killed' });
    expect(await api.request('DELETE', `/v1/tasks/${id}`)).toMatchObject({
      status: 200,
      body: { state: 'killed' },
    });
  });

  it('knows a call by its key', async () => {
    const headers = { 'idempotency-key': 'build-1' };
    const first = await call('echo once', {}, headers);
    const again = await call('echo once', {}, headers);
    expect(again.body['task']).toMatchObject({ id: (first.body['task'] as { id: string }).id });
    const other = await call('echo other', {}, headers);
    expect([other.status, JSON.stringify(other.body)]).toEqual([
      409,
      expect.stringContaining('another input'),
    ]);
  });

  it('ends what somebody queued who was let go meanwhile, and says so', async () => {
    const token = await api.person('bob', ['developer']);
    const body = { input: { command: 'echo late', run_in_background: true }, delayMs: 400 };
    const queued = await api.request('POST', '/v1/tools/bash/calls', { token, body });
    const { id } = queued.body['task'] as { readonly id: string };
    const { store } = api.control.control;
    const bob = await store.identities.user('bob');
    if (bob === null) throw new Error('no bob');
    await store.identities.changeUser({ ...bob, disabledAt: '2026-12-01T00:00:00.000Z' }, bob.etag);
    const { tasks } = api.host;
    let task = await tasks.get(id as TaskId);
    while (task?.endedAt === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      task = await tasks.get(id as TaskId);
    }
    expect(task).toMatchObject({
      state: 'failed',
      exit: { reason: 'bob was disabled at 2026-12-01T00:00:00.000Z; nothing ran' },
    });
  });

  it('shows nobody the tasks of others', async () => {
    const id = await started('echo mine');
    const unknown = 't-000000000000000000000000';
    const answers = [];
    for (const one of [id, unknown, 'nonsense']) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/output'],
        ['DELETE', ''],
      ] as const) {
        const { status, body } = await api.request(method, `/v1/tasks/${one}${path}`, { user: 'eve' });
        answers.push([status, body['code'], body['detail']]);
      }
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['[404,"task.unknown","there is no such task"]']),
    );
    expect((await api.request('GET', '/v1/tasks', { user: 'eve' })).body).toEqual({ tasks: [] });
  });

  it('shows an admin the tasks of everybody, and writes down whose they end', async () => {
    const root = await api.person('root', ['admin', 'auditor']);
    const id = await started('echo begun; sleep 300');
    await api.request('GET', `/v1/tasks/${id}/output?wait=10`);
    expect((await api.request('GET', '/v1/tasks', { token: root })).body).toEqual({ tasks: [] });
    const all = await api.request('GET', '/v1/tasks?of=everybody&state=running', { token: root });
    expect(all.body['tasks']).toMatchObject([{ id, owner: { user: 'ada' }, title: expect.any(String) }]);
    const output = await api.request('GET', `/v1/tasks/${id}/output`, { token: root });
    expect(output.body).toMatchObject({ text: 'begun\n', state: 'running' });
    expect((await api.request('DELETE', `/v1/tasks/${id}`, { token: root })).status).toBe(202);
    expect(await ended(id)).toMatchObject({ state: 'killed', exit: { reason: 'killed by root' } });
    const { body } = await api.request('GET', '/v1/audit/records?actor=root&limit=1', { token: root });
    expect(body['items']).toMatchObject([
      { entry: { data: { action: 'task.killed', task: id, tool: 'bash', owner: 'ada' } } },
    ]);
    expect((await api.request('GET', '/v1/tasks?of=everybody', { user: 'eve' })).status).toBe(403);
  });

  it('lets nobody in without a token', async () => {
    for (const [method, url] of [
      ['GET', '/v1/tasks'],
      ['POST', '/v1/tools/bash/calls'],
      ['GET', '/v1/tasks/x/output'],
    ] as const) {
      const { status, headers, body } = await api.request(method, url, {
        user: null,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect([status, body['code']]).toEqual([401, 'auth.required']);
      expect(headers['content-type']).toContain('application/problem+json');
    }
  });

  it.each([
    ['GET', '/v1/tasks/t-1/output?cursor=-1', undefined, 400],
    ['GET', '/v1/tasks/t-1/output?wait=61', undefined, 400],
    ['POST', '/v1/tools/nothing/calls', { input: {} }, 404],
    ['POST', '/v1/tools/bash/calls', [], 422],
    ['POST', '/v1/tools/bash/calls', { inptu: {} }, 422],
    ['POST', '/v1/tools/bash/calls', { input: {}, priority: 101 }, 422],
    ['POST', '/v1/tools/bash/calls', { input: { command: 7 } }, 422],
  ] as const)('%s %s %j is %s %s', async (method, url, body, expected) => {
    const { status } = await api.request(method, url, body === undefined ? {} : { body });
    expect(status).toBe(expected);
  });

  it('refuses a cursor from the future', async () => {
    const id = await started('echo x');
    await ended(id);
    const { status, body } = await api.request('GET', `/v1/tasks/${id}/output?cursor=999`);
    expect([status, body['code']]).toEqual([416, 'task.cursor']);
  });
});
