import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  AgentSession,
  ControlClient,
  enrolWithToken,
  IdentityFile,
  RemoteApprovals,
} from '@wrongstack/adapters/control';
import { type ApprovalRequest, sha256, systemClock } from '@wrongstack/contracts';
import { TestApi } from '../test-api.spec-support.js';

jest.setTimeout(60_000);

const DIGEST = `sha256:${'c'.repeat(64)}`;
/** As much of a question as the channel reads. */
const question = (id: string, digest = DIGEST) =>
  ({
    id,
    call: { tool: { name: 'bash' } },
    decision: {
      id: 'd-1',
      demanded: 'approve',
      because: 'infra changes need another person',
      by: { kind: 'rule', id: 'infra', document: 'payments', revision: 1 },
      facts: { tool: 'bash', command: null },
      approvalDigest: digest,
    },
    view: { title: 'terraform apply' },
    approvers: { count: 1, from: ['platform-oncall'], ttlMinutes: 10, excludeRequester: true },
  }) as unknown as ApprovalRequest;

describe('a client that waits for people', () => {
  let api: TestApi;
  let olga: string;
  let client: ControlClient;
  beforeAll(async () => {
    api = await TestApi.start();
    const dana = await api.person('dana', ['developer'], ['payments']);
    olga = await api.person('olga', ['approver'], ['platform-oncall']);
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const folder = path.join(api.folder, 'client');
    const identity = new IdentityFile(folder);
    const description = { name: 'wstack', version: '1.0.0', platform: 'linux-x64', host: 'laptop' };
    const parts = { folder, identity, clock: systemClock, client: description, enrolment: null };
    const server = `http://127.0.0.1:${port}`;
    await enrolWithToken({ ...parts, server }, dana, undefined, AbortSignal.timeout(10_000));
    client = new ControlClient(new AgentSession(identity, folder, systemClock));
  });
  afterAll(() => api.stop());

  const channel = (over: Partial<ControlClient> = {}, waits = true) =>
    new RemoteApprovals({
      client: {
        createApproval: (body, signal) => client.createApproval(body, signal),
        approval: (id, signal, seconds) => client.approval(id, signal, seconds),
        useApproval: (id, use, signal) => client.useApproval(id, use, signal),
        withdrawApproval: (id, signal) => client.withdrawApproval(id, signal),
        ...over,
      },
      folder: path.join(api.folder, 'client', 'approvals'),
      scrub: (text) => text,
      waits: () => waits,
    });
  const say = async (id: string, decision: string) =>
    (
      await api.request('POST', `/v1/approvals/${id}/decisions`, {
        token: olga,
        body: { decision, reason: 'as agreed' },
      })
    ).status;
  const soon = () => new Promise((resolve) => setTimeout(resolve, 300));

  it('hears a yes as it is given', async () => {
    const waiting = channel().ask(question('ap-live00000001'), AbortSignal.timeout(30_000));
    await soon();
    expect(await say('ap-live00000001', 'approve')).toBe(200);
    expect(await waiting).toEqual({ kind: 'approved', by: ['olga'] });
  });

  it('hears a no with its reason', async () => {
    const waiting = channel().ask(question('ap-live00000002'), AbortSignal.timeout(30_000));
    await soon();
    expect(await say('ap-live00000002', 'reject')).toBe(200);
    expect(await waiting).toEqual({ kind: 'no', reason: 'olga: as agreed' });
  });

  it('withdraws when the person gives up', async () => {
    const stop = new AbortController();
    const waiting = channel().ask(question('ap-live00000003'), stop.signal);
    waiting.catch(() => undefined);
    await soon();
    stop.abort();
    await expect(waiting).rejects.toThrow();
    expect((await client.approval('ap-live00000003', AbortSignal.timeout(5_000))).state).toBe('withdrawn');
  });

  it('uses its yes once, also when the answer to that was lost, and after a new start', async () => {
    const parked = await channel({}, false).ask(question('ap-live00000004'), AbortSignal.timeout(10_000));
    expect(parked).toMatchObject({ kind: 'parked', approval: 'ap-live00000004' });
    await say('ap-live00000004', 'approve');
    const lost: ControlClient['useApproval'] = async (id, use, signal) => {
      await client.useApproval(id, use, signal);
      throw Object.assign(new Error('the line broke'), { code: 'control.unreachable' });
    };
    await expect(
      channel({ useApproval: lost }, false).ask(question('ap-live00000004'), AbortSignal.timeout(10_000)),
    ).rejects.toThrow('the line broke');
    const again = await channel({}, false).ask(question('ap-live00000004'), AbortSignal.timeout(10_000));
    expect(again).toEqual({ kind: 'approved', by: ['olga'] });
    const once = await channel({}, false).ask(question('ap-live00000005'), AbortSignal.timeout(10_000));
    expect(once).toMatchObject({ kind: 'parked', approval: 'ap-live00000005' });
  });

  it.each([['aprove'], ['APPROVE'], [true], [''], [['approve']], [null], [{}]])(
    'is not let through by the answer %j',
    async (decision) => {
      const id = `ap-mal${String(Date.now()).slice(-9)}${Math.random().toString(36).slice(2, 6)}`;
      await channel({}, false).ask(question(id, sha256(id)), AbortSignal.timeout(10_000));
      const answer = await api.request('POST', `/v1/approvals/${id}/decisions`, {
        token: olga,
        body: { decision },
      });
      expect([answer.status, answer.body['code']]).toEqual([422, 'request.invalid']);
      const raw = await api.app.inject({
        method: 'POST',
        url: `/v1/approvals/${id}/decisions`,
        headers: { authorization: `Bearer ${olga}`, 'content-type': 'application/json' },
        payload: '<html>approve</html>',
      });
      expect(raw.statusCode).toBe(400);
      expect((await client.approval(id, AbortSignal.timeout(5_000))).state).toBe('pending');
      await client.withdrawApproval(id, AbortSignal.timeout(5_000));
    },
  );
});
