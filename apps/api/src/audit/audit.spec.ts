import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { decisionAbout, recordCalls } from '../replay/recorded-calls.spec-support.js';
import { TestApi } from '../test-api.spec-support.js';
import { ClientLog, decisionEntry } from './audit-batches.spec-support.js';

jest.setTimeout(60_000);

const DENIED = {
  verdict: 'deny',
  demanded: 'deny',
  by: { kind: 'rule', id: 'no-prod', tier: 'team', document: 'payments', revision: 3 },
  facts: { tool: 'bash' },
};

describe('the audit log', () => {
  let api: TestApi;
  let agent: { id: string; token: string };
  let auditor: string;
  let ed: string;
  beforeEach(async () => {
    api = await TestApi.start();
    agent = await api.agent(await api.person('dana', ['developer'], ['payments']));
    auditor = await api.person('aud', ['auditor']);
    ed = await api.person('ed', ['policyEditor']);
  });
  afterEach(() => api.stop());

  const ship = (body: object, token = agent.token) =>
    api.request('POST', '/v1/audit/batches', { token, body });
  const read = (query: string, token = auditor) => api.request('GET', `/v1/audit/${query}`, { token });
  const records = async (query: string) =>
    (await read(`records?${query}`)).body['items'] as {
      seq: number;
      source: string;
      actor: string;
      flagged: boolean;
    }[];

  it('takes batches in once, however often they are sent, and says how far it has got', async () => {
    const log = new ClientLog('a-first');
    const one = log.batch([decisionEntry(), decisionEntry(DENIED)]);
    const receipt = { source: 'a-first', acknowledged: 1, duplicates: 0, flagged: false };
    expect((await ship(one)).body).toEqual(receipt);
    expect((await ship(one)).body).toEqual({ ...receipt, duplicates: 2 });
    const three = log.batch([decisionEntry()]);
    expect((await ship({ ...one, records: [...one.records, ...three.records] })).body).toEqual({
      ...receipt,
      acknowledged: 2,
      duplicates: 2,
    });
    expect(await records('kind=decision')).toHaveLength(3);
  });

  it('knows who did it from who ships it, and never from what is said', async () => {
    await ship(new ClientLog('a-claims').batch([decisionEntry()]));
    expect(await records('actor=somebody-else')).toEqual([]);
    expect(await records('kind=decision&actor=dana&team=payments')).toMatchObject([
      { actor: 'dana', source: `${agent.id}/a-claims`, flagged: false },
    ]);
  });

  it('keeps the chains of two machines apart, also under one name', async () => {
    const other = await api.agent(await api.person('eve', ['developer']));
    await ship(new ClientLog('a-same').batch([decisionEntry()]));
    const theirs = await ship(new ClientLog('a-same').batch([decisionEntry(DENIED)]), other.token);
    expect(theirs.body).toMatchObject({ duplicates: 0, flagged: false });
  });

  it('refuses what does not have its own hash, comes out of order or is no entry, and takes nothing of it', async () => {
    const batch = () => new ClientLog('a-badly').batch([decisionEntry(), decisionEntry(DENIED)]);
    const code = async (body: object) => {
      const { status, body: problem } = await ship(body);
      return [status, problem['code']];
    };
    const [first, second] = batch().records;
    const edited = { ...batch(), records: [first, { ...second, entry: decisionEntry() }] };
    expect(await code(edited)).toEqual([422, 'audit.bad_hash']);
    expect(await code({ ...batch(), prev: `sha256:${'0'.repeat(64)}` })).toEqual([422, 'audit.bad_hash']);
    expect(await code({ ...batch(), source: 'a-other' })).toEqual([422, 'audit.bad_hash']);
    expect(await code({ ...batch(), records: [second] })).toEqual([422, 'audit.gap']);
    for (const entry of [
      { kind: 'invented', ts: new Date().toISOString(), session: null, run: null, call: null },
      { ...decisionEntry(), ts: 'yesterday' },
      { ...decisionEntry({ verdict: 'alow' }) },
      { ...decisionEntry({ facts: null }) },
      { ...decisionEntry({ matches: 'all' }) },
    ]) {
      expect(await code(new ClientLog('a-badly').batch([entry]))).toEqual([422, 'audit.bad_entry']);
    }
    expect(await code({ ...batch(), extra: 1 })).toEqual([422, 'request.invalid']);
    expect(await records('kind=decision')).toEqual([]);
  });

  it('takes a chain that does not continue in, and flags it', async () => {
    const log = new ClientLog('a-gaps');
    log.batch([decisionEntry()]);
    const later = log.batch([decisionEntry()]);
    expect((await ship(later)).body).toMatchObject({ acknowledged: 1, flagged: true });
    expect(await records('flagged=true')).toHaveLength(1);
    const { body } = await read('verify');
    expect(body).toMatchObject({ ok: true, flaggedSources: [`${agent.id}/a-gaps`] });
  });

  it('is listed a line each, and explains each decision as a person reads it', async () => {
    const policy = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: all, revision: 1, scope: { tier: org } }
rules:
  - { id: no-npm, effect: deny, actions: ['*'], when: { command: { argv: [npm] } }, because: a test }
`;
    const decision = await decisionAbout('npm test && ls', api.host.kernel.tools.list(), policy);
    await recordCalls(api.control.control.store, [decision], { actor: 'dana', team: 'payments' });
    await ship(new ClientLog('a-short').batch([decisionEntry()]));
    const { items } = (await read('rows?kind=decision')).body as { items: { seq: number }[] };
    expect(items).toMatchObject([
      { tool: 'read', verdict: 'allow', rule: null, summary: '', flagged: false },
      {
        tool: 'bash',
        verdict: 'deny',
        rule: 'no-npm',
        document: 'all',
        actor: 'dana',
        summary: 'npm test && ls',
      },
    ]);
    const [short, whole] = items;
    expect((await read(`records/${String(whole?.seq)}/explanation`)).body).toMatchObject({
      verdict: 'deny',
      by: 'rule no-npm',
      because: 'a test',
      demands: expect.arrayContaining([expect.objectContaining({ source: 'rule no-npm', kind: 'hard' })]),
      facts: expect.arrayContaining(['npm test', 'ls']),
    });
    const refused = await read(`records/${String(short?.seq)}/explanation`);
    expect([refused.status, refused.body['code']]).toEqual([422, 'audit.not_explainable']);
    const [action] = ((await read('rows?kind=note')).body as { items: { seq: number; summary: string }[] })
      .items;
    expect(action?.summary).toBe('agent.enrolled');
    expect((await read(`records/${String(action?.seq)}/explanation`)).status).toBe(422);
    expect((await read('records/999/explanation')).status).toBe(404);
  });

  it('is searched by who, what, verdict, rule and time, page by page', async () => {
    const log = new ClientLog('a-many');
    const entries = Array.from({ length: 30 }, (_, n) =>
      decisionEntry(n % 3 === 0 ? DENIED : {}, new Date(1_700_000_000_000 + n * 1000).toISOString()),
    );
    await ship(log.batch(entries));
    expect(await records('verdict=deny')).toHaveLength(10);
    expect(await records('rule=no-prod&tool=bash&document=payments&revision=3')).toHaveLength(10);
    const from = encodeURIComponent('2023-11-14T23:13:25+01:00');
    expect(await records(`kind=decision&from=${from}&limit=500`)).toHaveLength(25);
    const seen: number[] = [];
    for (let next = ''; ;) {
      const { body } = await read(`records?kind=decision&limit=7${next}`);
      seen.push(...(body['items'] as { seq: number }[]).map(({ seq }) => seq));
      if (body['next'] === null) break;
      next = `&cursor=${encodeURIComponent(body['next'] as string)}`;
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
    expect(seen).toHaveLength(30);
    const { body } = await read('facets?kind=decision');
    expect(body['verdict']).toEqual([
      { value: 'allow', count: 20 },
      { value: 'deny', count: 10 },
    ]);
    const [newest] = await records('limit=1');
    expect((await read(`records/${newest?.seq ?? 0}`)).body).toEqual(newest);
    expect((await read('records/999999')).status).toBe(404);
    expect((await read('records?verdict=alow')).status).toBe(400);
    expect((await read("records?actor=x'%20or%201=1--")).body['items']).toEqual([]);
  });

  it('is read by those who may, and written by agents alone', async () => {
    for (const route of ['records', 'records/1', 'facets', 'verify', 'export', 'verify/events'])
      expect((await read(route, agent.token)).status).toBe(403);
    expect((await read('export', ed)).status).toBe(403);
    expect((await ship(new ClientLog('a-person').batch([decisionEntry()]), auditor)).status).toBe(403);
  });

  it.each([
    ['edited', "update audit_records set body = replace(body, 'no-prod', 'no-harm') where seq = ?"],
    ['searched by something else', "update audit_records set actor = 'eve' where seq = ?"],
    ['missing', 'delete from audit_records where seq = ?'],
  ])('says at which number it was %s', async (_name, statement) => {
    await ship(new ClientLog('a-kept').batch(Array.from({ length: 20 }, () => decisionEntry(DENIED))));
    const whole = (await read('verify')).body;
    expect(whole).toMatchObject({ ok: true, brokenAt: null });
    const at = Number(whole['records']) - 5;
    const { default: Database } = await import('libsql');
    const db = new Database(path.join(api.folder, 'home', '.wrongstack', 'control', 'control.db'));
    db.prepare(statement).run(at);
    db.close();
    const broken = (await read('verify')).body;
    expect(broken).toMatchObject({ ok: false, brokenAt: at });
    expect(String(broken['reason'])).toContain(`record ${at}`);
  });

  it('is exported whole, and as a table that no spreadsheet runs', async () => {
    const evil = { ...DENIED, facts: { tool: '=cmd|"/c calc"!A1' } };
    await ship(new ClientLog('a-outs').batch([decisionEntry(evil), decisionEntry()]));
    const lines = await read('export?format=jsonl&kind=decision');
    expect(lines.headers['content-type']).toBe('application/x-ndjson');
    const rows = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number });
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map(({ seq }) => seq).sort((a, b) => a - b));
    expect(rows).toHaveLength(2);
    const csv = await read('export?format=csv&verdict=deny');
    expect(csv.headers['content-disposition']).toContain('audit.csv');
    const [head, row] = csv.text.split('\r\n');
    expect(head).toMatch(/^seq,at,/);
    expect(row).toContain(`"'=cmd|""/c calc""!A1"`);
  });

  it('is told about with progress while it is verified, and a slow reader is waited for', async () => {
    const log = new ClientLog('a-slow');
    const padding = 'x'.repeat(2_000);
    for (let batch = 0; batch < 6; batch += 1)
      await ship(log.batch(Array.from({ length: 400 }, () => decisionEntry({ because: padding }))));
    const progress = await read('verify/events');
    expect(progress.text.match(/event: progress/g)?.length).toBeGreaterThanOrEqual(3);
    expect(progress.text).toContain('event: report\ndata: {"ok":true');

    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const headers = { authorization: `Bearer ${auditor}` };
    const count = await new Promise<number>((resolve, reject) => {
      httpRequest({ port, path: '/v1/audit/export?kind=decision', headers }, (response) => {
        let lines = 0;
        response.on('data', (chunk: Buffer) => {
          lines += chunk.toString('latin1').split('\n').length - 1;
          response.pause();
          setTimeout(() => response.resume(), 2);
        });
        response.on('end', () => resolve(lines));
      })
        .on('error', reject)
        .end();
    });
    expect(count).toBe(2_400);
  });

  it('counts what rules on trial would have changed, once, beside the records themselves', async () => {
    await api.publish(
      ed,
      'payments',
      `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: payments, revision: 1, scope: { tier: team, ref: payments } }
rules:
  - { id: trial, effect: deny, mode: shadow, actions: ['*'], when: { tool: [bash] }, because: a trial }
  - { id: real, effect: deny, actions: ['*'], when: { tool: [never] }, because: in force }
`,
    );
    const match = {
      effect: 'deny',
      tier: 'team',
      document: 'payments',
      revision: 1,
      because: 'x',
      applied: false,
      on: null,
    };
    const entry = (id: string, verdict = 'allow') =>
      decisionEntry({ verdict, demanded: verdict, facts: { tool: 'bash' }, matches: [{ ...match, id }] });
    const batch = new ClientLog('a-trial').batch([
      entry('trial'),
      entry('trial', 'deny'),
      entry('real'),
      entry('unknown'),
    ]);
    await ship(batch);
    await ship(batch);
    const { body } = await api.request('GET', '/v1/policies/payments/shadow', { token: ed });
    expect(body['items']).toEqual([
      {
        document: 'payments',
        revision: 1,
        rule: 'trial',
        team: 'payments',
        tool: 'bash',
        matched: 2,
        diverged: 1,
      },
    ]);
    expect((await api.request('GET', '/v1/policies/none/shadow', { token: ed })).status).toBe(404);
  });
});
