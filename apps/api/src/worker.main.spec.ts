import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisMissing, RedisServer } from '@wrongstack/adapters/testing';
import { type Api, Programs, said } from './programs.spec-support.js';
import { testEnvironment } from './test-api.spec-support.js';
import { TraceCollector } from './trace-collector.spec-support.js';

jest.setTimeout(120_000);

const TOKEN = 'a-token-for-tests';
/** The token's owner belongs to no tenant. Whoever runs this may write to one file. */
const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: server, revision: 1, scope: { tier: user } }
rules:
  - id: allow-bash
    effect: allow
    actions: [shell.arbitrary, fs.write]
    when: { command: { argv: [[echo, sleep]], has: [redirect] } }
    because: a test
  - id: allow-plain
    effect: allow
    actions: [shell.arbitrary]
    when: { command: { argv: [[echo, sleep]] } }
    because: a test
`;

const missing = redisMissing(process.env);
const withRedis = missing === null ? describe : describe.skip;
if (missing !== null) it.skip(missing, () => undefined);

withRedis('the API and its workers, each a process of its own', () => {
  let folder: string;
  let programs: Programs;
  let api: Api;
  let redis: RedisServer;
  let collector: TraceCollector;
  const workers: ChildProcess[] = [];
  afterEach(() => {
    for (const child of workers.splice(0)) child.kill('SIGKILL');
  });

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-worker-')));
    const { agentHome, projectRoot } = testEnvironment(folder, POLICY);
    redis = await RedisServer.start();
    collector = new TraceCollector();
    programs = new Programs({
      ...(await collector.start()),
      PATH: process.env['PATH'] ?? '',
      HOME: path.join(folder, 'home'),
      WRONGSTACK_HOME: agentHome,
      WRONGSTACK_PROJECT: projectRoot,
      WRONGSTACK_API_TOKEN: TOKEN,
      REDIS_URL: redis.url,
      PORT: '0',
      TASKS_PATIENCE_MS: '3000',
    });
    api = await programs.firstApi();
  });

  afterAll(async () => {
    programs.kill();
    await redis.remove();
    collector.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function worker(): Promise<ChildProcess> {
    const child = await programs.worker();
    workers.push(child);
    return child;
  }

  const request = (method: string, route: string, body?: unknown, token = TOKEN) =>
    api.request(method, route, body, token);

  async function begin(command: string): Promise<string> {
    const answer = await request('POST', '/v1/tools/bash/calls', {
      input: { command, run_in_background: true },
    });
    expect(answer).toMatchObject({ http: 202 });
    return (answer['task'] as { id: string }).id;
  }

  async function until(id: string, ...states: readonly string[]): Promise<Record<string, unknown>> {
    for (;;) {
      const task = await request('GET', `/v1/tasks/${id}`);
      if (states.includes(String(task['state']))) return task;
      await sleep(50);
    }
  }

  it('a task goes on in the trace of the request that handed it over, whichever process runs it', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    };
    await worker();
    const body = JSON.stringify({ input: { command: 'echo traced', run_in_background: true } });
    const answer = await fetch(`${api.url}/v1/tools/bash/calls`, { method: 'POST', headers, body });
    const { task } = (await answer.json()) as { task: { id: string } };
    await until(task.id, 'completed');
    const lines = (): string[] =>
      collector
        .spans()
        .filter(({ traceId }) => traceId === trace)
        .map(({ service, name, parent }) => `${service} ${name} < ${parent ?? 'the caller'}`)
        .sort();
    while (lines().length < 5) await sleep(50);
    expect(lines()).toEqual([
      'wrongstack-api POST /v1/tools/:name/calls < the caller',
      'wrongstack-api decision < execute_tool bash',
      'wrongstack-api execute_tool bash < POST /v1/tools/:name/calls',
      'wrongstack-api queue bash < execute_tool bash',
      'wrongstack-worker run bash < queue bash',
    ]);
  });

  const statesOf = (task: Record<string, unknown>): readonly string[] =>
    (task['transitions'] as { state: string }[]).map(({ state }) => state);

  it('a task waits for a worker, runs there, and is read through the API', async () => {
    const id = await begin('echo one; sleep 0.1; echo two');
    expect(await request('GET', `/v1/tasks/${id}`)).toMatchObject({ state: 'queued' });
    await worker();
    expect(statesOf(await until(id, 'completed'))).toEqual(['queued', 'running', 'completed']);
    expect(await request('GET', `/v1/tasks/${id}/output`)).toMatchObject({ text: 'one\ntwo\n', done: true });
  });

  it('a kill reaches the worker and takes everything with it that the task had started', async () => {
    await worker();
    const id = await begin('sleep 30118 & sleep 30118');
    await until(id, 'running');
    await sleep(300);
    expect(await request('DELETE', `/v1/tasks/${id}`)).toMatchObject({ http: 202, state: 'stopping' });
    expect(statesOf(await until(id, 'killed'))).toEqual(['queued', 'running', 'stopping', 'killed']);
    expect(processes('sleep 30118')).toEqual([]);
  });

  it('a worker that is told to end takes nothing more, finishes what it can, and another one goes on', async () => {
    const first = await worker();
    const running = await begin('echo begun; sleep 1; echo finished');
    await until(running, 'running');
    const exit = once(first, 'exit');
    first.kill('SIGTERM');
    const waiting = await begin('echo later');
    expect(await exit).toEqual([0, null]);
    expect(await until(running, 'completed', 'killed')).toMatchObject({ state: 'completed' });
    expect(await request('GET', `/v1/tasks/${waiting}`)).toMatchObject({ state: 'queued' });
    await worker();
    await until(waiting, 'completed');
  });

  it('a worker’s page is for whoever has the bearer, and is served whole until its last task has ended', async () => {
    const child = programs.start('worker.cjs', {
      WRONGSTACK_METRICS_PORT: '0',
      WRONGSTACK_SCRAPE_TOKEN: 'sesame',
    });
    workers.push(child);
    const [port] = await said(child, /metrics on port (\d+)[^]*takes tasks/);
    const scrape = async (bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}`, accept: 'application/openmetrics-text' };
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await scrape('open')).status).toBe(401);
    const id = await begin('echo begun; sleep 2; echo finished');
    await until(id, 'running');
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const pages: string[] = [];
    for (;;) {
      // Refused once it is over; what was begun before is whole.
      const page = await scrape('sesame').catch(() => null);
      if (page === null) break;
      expect([page.status, page.text.endsWith('# EOF\n')]).toEqual([200, true]);
      pages.push(page.text);
      await sleep(20);
    }
    expect(await exit).toEqual([0, null]);
    expect(await until(id, 'completed', 'killed')).toMatchObject({ state: 'completed' });
    const [first = ''] = pages;
    expect(first.split('\n')).toEqual(
      expect.arrayContaining(['wrongstack_tasks{state="running"} 1', 'wrongstack_audit_gaps_total 0']),
    );
    expect(first).toMatch(/^wrongstack_build_info\{version="[^"]+",node="v[^"]+",role="worker"\} 1$/m);
    // It ran for another two seconds after it was told to end.
    expect(pages.length).toBeGreaterThan(2);
  });

  it('a worker that was killed leaves its task lost, with its output so far, no program of it, and its work is not done twice', async () => {
    const log = path.join(programs.env['WRONGSTACK_PROJECT'] ?? '', 'log');
    const child = await worker();
    const id = await begin('echo x >> log; echo half; sleep 30119');
    while ((await request('GET', `/v1/tasks/${id}/output`))['text'] !== 'half\n') await sleep(50);
    child.kill('SIGKILL');
    for (let turn = 0; turn < 60 && processes('sleep 30119').length > 0; turn += 1) await sleep(50);
    expect(processes('sleep 30119')).toEqual([]);
    await worker();
    const task = await until(id, 'lost', 'completed', 'failed');
    expect(statesOf(task)).toEqual(['queued', 'running', 'lost']);
    expect(await request('GET', `/v1/tasks/${id}/output`)).toMatchObject({ text: 'half\n', done: true });
    expect(readFileSync(log, 'utf8')).toBe('x\n');
  });

  it('a permission that was revoked centrally while the task waited ends it with that reason', async () => {
    const id = await begin('echo frozen');
    const made = await request('POST', '/v1/policies', { text: FREEZE }, api.token);
    expect(made).toMatchObject({ http: 201 });
    const body = { expectedRevision: 0, note: 'a test' };
    const published = await request('POST', '/v1/policies/freeze/publications', body, api.token);
    expect(published).toMatchObject({ http: 201 });
    await worker();
    expect(await until(id, 'failed', 'completed')).toMatchObject({
      state: 'failed',
      exit: { reason: expect.stringMatching(/no-frozen[^]*Change freeze/) },
    });
    // What the rule does not name goes on.
    await until(await begin('echo free'), 'completed');
  });

  it('a worker that cannot see what is in force does not start', async () => {
    const child = programs.start('worker.cjs', { WRONGSTACK_HOME: path.join(folder, 'elsewhere') });
    if (child.stderr === null) throw new Error('no output');
    const [chunks, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
    expect([code, Buffer.concat(chunks as Buffer[]).toString()]).toEqual([
      1,
      expect.stringMatching(/no control plane's store at .*elsewhere.*DATABASE_URL/),
    ]);
  });
});

/** In force for everybody, over the policy that the host itself has. */
const FREEZE = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: freeze, revision: 1, scope: { tier: org } }
rules:
  - { id: no-frozen, effect: deny, actions: ["*"], when: { command: { argv: [echo, frozen] } }, because: Change freeze }
`;

function processes(command: string): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.trimEnd().endsWith(command)).map((row) => Number.parseInt(row, 10));
}
