import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer, postgresMissing } from '@wrongstack/adapters/store/testing';
import { redisMissing, RedisServer } from '@wrongstack/adapters/testing';
import {
  type LoopbackModelServer,
  type LoopbackTurn,
  startLoopbackModelServer,
} from '@wrongstack/providers/testing';
import { type Api, Programs, said } from '../programs.spec-support.js';
import { testEnvironment } from '../test-api.spec-support.js';
import { calls, says } from './runs.spec-support.js';

jest.setTimeout(180_000);

/** Whoever runs this may write to one file. */
const POLICY = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: server, revision: 1, scope: { tier: user } }
rules:
  - id: allow-log
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

const THRIFT = `apiVersion: policy.wrongstack/v1
kind: CapabilityPolicy
metadata: { id: thrift, revision: 1, scope: { tier: team, ref: frugal } }
locks: { budget: { team: { tokens: 300 } } }
rules: []
`;

const missing =
  postgresMissing(process.env['WRONGSTACK_REQUIRE_POSTGRES'] === '1') ?? redisMissing(process.env);
if (missing !== null) process.stderr.write(`\n${missing}\n`);
const describeHere = missing === null ? describe : describe.skip;

describeHere('runs that workers execute', () => {
  let folder: string;
  let workspace: string;
  let postgres: PostgresServer;
  let redis: RedisServer;
  let model: LoopbackModelServer;
  let programs: Programs;
  let api: Api;
  let dev: string;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'wstack-worker-runs-')));
    const { agentHome, projectRoot } = testEnvironment(folder, POLICY);
    workspace = path.join(folder, 'workspaces');
    mkdirSync(workspace);
    [postgres, redis, model] = await Promise.all([
      PostgresServer.start(),
      RedisServer.start(),
      startLoopbackModelServer(),
    ]);
    const provider = { type: 'openai', model: 'test-model', baseUrl: model.openAiUrl };
    writeFileSync(
      path.join(agentHome, 'config.json'),
      JSON.stringify({ provider, agent: { maxRetries: 0 } }),
    );
    programs = new Programs({
      PATH: process.env['PATH'] ?? '',
      HOME: path.join(folder, 'home'),
      WRONGSTACK_HOME: agentHome,
      WRONGSTACK_PROJECT: projectRoot,
      WRONGSTACK_WORKSPACES: workspace,
      DATABASE_URL: await postgres.database(),
      REDIS_URL: redis.url,
      PORT: '0',
      TASKS_PATIENCE_MS: '3000',
      TASKS_GRACE_MS: '1000',
    });
    api = await programs.firstApi();
    const body = { name: 'test', service: { id: 'ci', teams: ['payments'], roles: ['developer'] } };
    const token = await api.request('POST', '/v1/tokens', body);
    expect(token).toMatchObject({ http: 201 });
    dev = String(token['token']);
  });

  afterEach(() => {
    for (const child of workers.splice(0)) child.kill('SIGKILL');
  });

  afterAll(async () => {
    programs.kill();
    await Promise.all([redis.remove(), postgres.remove(), model.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function worker(): Promise<ChildProcess> {
    const child = await programs.worker();
    workers.push(child);
    return child;
  }

  async function begin(...turns: readonly LoopbackTurn[]): Promise<string> {
    model.push(...turns);
    const run = await api.request('POST', '/v1/runs', { workspace, prompt: 'go' }, dev);
    expect(run).toMatchObject({ http: 201, state: 'queued' });
    return String(run['id']);
  }

  const show = (id: string) => api.request('GET', `/v1/runs/${id}`);

  async function until(id: string, ...states: readonly string[]): Promise<Record<string, unknown>> {
    for (;;) {
      const run = await show(id);
      if (states.includes(String(run['state']))) return run;
      if (run['endedAt'] !== null) throw new Error(JSON.stringify(run));
      await sleep(50);
    }
  }

  async function member(id: string): Promise<string> {
    const body = { name: 'test', service: { id, teams: ['frugal'], roles: ['developer'] } };
    return String((await api.request('POST', '/v1/tokens', body))['token']);
  }

  async function publish(id: string, text: string): Promise<void> {
    expect(await api.request('POST', '/v1/policies', { text })).toMatchObject({ http: 201 });
    const body = { expectedRevision: 0, note: 'a test' };
    expect(await api.request('POST', `/v1/policies/${id}/publications`, body)).toMatchObject({ http: 201 });
  }

  /** Names of all of its events, and how many ends there are. */
  async function eventsOf(id: string): Promise<readonly string[]> {
    const text = await textOf(id);
    return [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name);
  }

  async function textOf(id: string): Promise<string> {
    const headers = { authorization: `Bearer ${api.token}` };
    return (await fetch(`${api.url}/v1/runs/${id}/events`, { headers })).text();
  }

  const written = (file: string): string => readFileSync(path.join(workspace, file), 'utf8');

  it('a run waits for a worker, is executed there, and is read through the API', async () => {
    const id = await begin(calls('bash', { command: 'echo x >> first' }), says('Done.'));
    await sleep(300);
    expect(await show(id)).toMatchObject({ state: 'queued' });
    await worker();
    expect(await until(id, 'succeeded')).toMatchObject({ result: { text: 'Done.' }, attempt: 1 });
    expect(model.requests.at(-1)?.path).toContain('/chat/completions');
    expect(written('first')).toBe('x\n');
  });

  it('a worker that was killed leaves its run failed, once, and what it did is not done again', async () => {
    const child = await worker();
    const id = await begin(calls('bash', { command: 'echo x >> killed; sleep 60' }));
    await until(id, 'running');
    for (;;) {
      if ((await api.request('GET', `/v1/runs/${id}`, undefined, dev))['session'] !== null) break;
      await sleep(50);
    }
    child.kill('SIGKILL');
    await worker();
    const run = await until(id, 'failed');
    expect(run).toMatchObject({ attempt: 1, result: { status: 'lost', error: { code: 'run.worker_lost' } } });
    expect((await eventsOf(id)).filter((name) => name === 'end')).toHaveLength(1);
    expect(written('killed')).toBe('x\n');
  });

  it('a worker that is told to end hands its run on, and another one goes on with it', async () => {
    const first = await worker();
    const exit = once(first, 'exit');
    const id = await begin(
      calls('bash', { command: 'echo x >> handed; sleep 120' }),
      says('It was cut short.'),
    );
    for (;;) {
      if ((await eventsOfSoFar(id)).includes('tool.started')) break;
      await sleep(50);
    }
    await worker();
    first.kill('SIGTERM');
    const run = await until(id, 'succeeded');
    expect(run).toMatchObject({ attempt: 2, result: { text: 'It was cut short.' } });
    expect(await exit).toEqual([0, null]);
    expect(written('handed')).toBe('x\n');
  });

  it('a run obeys what its requester’s team may use up, whoever of them used it, and the page of its worker counts that', async () => {
    await publish('thrift', THRIFT);
    const [thrifty, miser] = [await member('thrifty'), await member('miser')];
    const child = programs.start('worker.cjs', { WRONGSTACK_METRICS_PORT: '0' });
    workers.push(child);
    const [port] = await said(child, /metrics on port (\d+)[^]*takes tasks/);
    const as = async (token: string, ...turns: readonly LoopbackTurn[]) => {
      model.push(...turns);
      const run = await api.request('POST', '/v1/runs', { workspace, prompt: 'go' }, token);
      return until(String(run['id']), 'succeeded', 'failed');
    };
    const echo = calls('bash', { command: 'echo x' });
    expect(await as(thrifty, echo, says('Done.'))).toMatchObject({ state: 'succeeded' });
    // 265 of 300 are used up: the other one is told, and stopped as soon as it is more.
    const stopped = await as(miser, echo);
    expect(stopped).toMatchObject({
      state: 'failed',
      result: { status: 'limit', error: { code: 'budget.team_tokens' } },
    });
    const told = await textOf(String(stopped['id']));
    expect(told).toContain('"budget.team_tokens_near"');
    expect(told).toContain('team frugal has used up 265 of 300 tokens of this month');
    expect(await as(thrifty)).toMatchObject({ result: { error: { code: 'budget.team_tokens' } } });
    // Who is in another team works on.
    expect(await until(await begin(says('Still here.')), 'succeeded')).toMatchObject({ attempt: 1 });
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(page.split('\n')).toEqual(
      expect.arrayContaining([
        'wrongstack_budget_warnings_total{scope="team",limit="tokens"} 1',
        'wrongstack_budget_stops_total{scope="team",limit="tokens"} 2',
        'wrongstack_runs_total{status="limit"} 2',
      ]),
    );
    const mine = await api.request('GET', '/v1/usage/mine', undefined, miser);
    expect(mine).toMatchObject({
      user: { day: { tokens: 110, toolCalls: 1 } },
      team: { month: { tokens: 375 } },
    });
  });

  it('database and Redis may be restarted meanwhile', async () => {
    await worker();
    const id = await begin(calls('bash', { command: 'echo one; sleep 2; echo two' }), says('Still here.'));
    await until(id, 'running');
    await Promise.all([postgres.down(), redis.down()]);
    await sleep(2_500);
    await Promise.all([postgres.up(), redis.up()]);
    expect(await until(id, 'succeeded')).toMatchObject({ result: { text: 'Still here.' } });
    const names = await eventsOf(id);
    expect(names.filter((name) => name === 'tool.executed')).toHaveLength(1);
    expect(names.at(-1)).toBe('end');
  });

  /** What is there now, without waiting for the end. */
  async function eventsOfSoFar(id: string): Promise<readonly string[]> {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${dev}` };
    const response = await fetch(`${api.url}/v1/runs/${id}/events`, { headers, signal: stop.signal });
    let text = '';
    const reader = response.body?.getReader();
    const timer = setTimeout(() => stop.abort(), 700);
    try {
      for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
        text += Buffer.from(read.value as Uint8Array).toString();
    } catch {
      // That was all for now.
    } finally {
      clearTimeout(timer);
    }
    return [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name);
  }
});
