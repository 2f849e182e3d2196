import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongStackError } from '@wrongstack/contracts';
import type { UsageAnswer } from '@wrongstack/contracts/wire';
import { isReported } from '../metrics/metric-definitions.js';
import { PrometheusMetricsSink } from '../metrics/prometheus-metrics-sink.js';
import type { AgentSession } from './agent-session.js';
import { ControlProblem } from './control-http.js';
import { MetricReports } from './metric-reports.js';
import { SharedUsage } from './shared-usage.js';

const HOUR = 3_600_000;
const aMoment = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
const used = (tokens: number) => ({ tokens, costUsd: 0, toolCalls: 0 });

describe('SharedUsage', () => {
  let folder: string;
  let sink: PrometheusMetricsSink;
  let now: number;
  let server: { tokens: number; state: 'up' | 'away' | 'odd'; asked: number };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'usage-'));
    sink = new PrometheusMetricsSink();
    now = Date.parse('2026-12-01T10:00:00Z');
    server = { tokens: 0, state: 'up', asked: 0 };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Adds up what it is told, and tells it. */
  const session = {
    async send({ path, body }: { path: string; body?: unknown }) {
      if (server.state === 'away') throw new ControlProblem(503, 'control.unreachable', 'nobody answers');
      await aMoment();
      const headers = new Headers();
      if (path === 'metrics/deltas') {
        const { counters } = body as { counters: { value: number }[] };
        server.tokens += counters.reduce((sum, { value }) => sum + value, 0);
        await aMoment();
        return { status: 200, headers, body: {} };
      }
      server.asked += 1;
      if (server.state === 'odd') return { status: 200, headers, body: { user: null } };
      const answer: UsageAnswer = {
        at: new Date(now).toISOString(),
        user: { name: 'mira', day: used(server.tokens), month: used(server.tokens + 1_000) },
        team: { name: 'payments', day: used(server.tokens), month: used(server.tokens + 5_000) },
      };
      return { status: 200, headers, body: answer };
    },
  } as unknown as AgentSession;

  const open = (agent = 'ag-1', of = sink) => {
    const clock = { now: () => now };
    const reports = new MetricReports(session, join(folder, 'metrics'), clock.now, () =>
      of.growth.take(isReported),
    );
    return { reports, usage: new SharedUsage({ session, reports, folder, agent, clock }) };
  };
  const spend = (tokens: number, of = sink) =>
    of.counter('wrongstack_model_tokens_total', tokens, { provider: 'p', model: 'm', kind: 'input' });
  const day = async (usage: SharedUsage, grace = 24) => (await usage.now(grace)).user.day.tokens;

  it('is what the server says and what it was not told yet, each once, wherever a report is on its way', async () => {
    const { reports, usage } = open();
    server.tokens = 100;
    spend(10);
    expect(await usage.now(24)).toMatchObject({
      user: { name: 'mira', day: used(110), month: used(1_110) },
      team: { name: 'payments', day: used(110), month: used(5_110) },
    });
    spend(10);
    expect(await day(usage)).toBe(120);
    // The server has it, and its answer is from before.
    await reports.ship(AbortSignal.timeout(10_000));
    expect([server.tokens, await day(usage)]).toEqual([120, 120]);
    now += 21_000;
    for (let tries = 0; server.asked < 2 && tries < 500; tries += 1) {
      await day(usage);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([server.asked, await day(usage)]).toEqual([2, 120]);
  });

  it('is exact while reports are sent and the server is asked at the same time', async () => {
    const { reports, usage } = open();
    const signal = AbortSignal.timeout(60_000);
    const under: Promise<unknown>[] = [];
    let spent = 0;
    for (let round = 0; round < 200; round += 1) {
      spend(10);
      spent += 10;
      // Old enough to be asked for again, beside what is sent.
      now += 21_000;
      if (round % 3 > 0) under.push(reports.ship(signal));
      if (round % 5 > 2) await new Promise((resolve) => setTimeout(resolve, round % 4));
      expect(await day(usage)).toBe(spent);
    }
    await Promise.all(under);
    expect([server.tokens, await day(usage)]).toEqual([spent, spent]);
    expect(server.asked).toBeGreaterThan(50);
  });

  it('counts what another process of this machine wrote down, killed or not', async () => {
    const other = new PrometheusMetricsSink();
    const { reports } = open('ag-1', other);
    spend(7, other);
    await reports.keep();
    spend(1);
    expect(await day(open().usage)).toBe(8);
    expect(readdirSync(join(folder, 'metrics'))).toHaveLength(2);
  });

  it('goes on without a server as long as the policy may be stale, with what this machine adds', async () => {
    server.tokens = 50;
    await open().usage.now(24);
    server.state = 'away';
    now += 5 * HOUR;
    const { usage } = open();
    spend(5);
    expect(await day(usage)).toBe(55);
    now += 20 * HOUR;
    await expect(usage.now(24)).rejects.toMatchObject({
      code: 'budget.unknown',
      message: expect.stringContaining('was last known 2026-12-01T10:00:00.000Z, more than 24 h ago'),
    });
    server.state = 'up';
    expect((await open().usage.now(24)).user.month.tokens).toBe(1_055);
  });

  it.each([
    ['nobody answers', 'away', 'nobody answers'],
    ['the answer says nothing', 'odd', 'has no user'],
  ] as const)('is not known where %s and nobody ever did', async (_what, state, why) => {
    server.state = state;
    await expect(open().usage.now(24)).rejects.toMatchObject({
      code: 'budget.unknown',
      message: expect.stringContaining(why),
      hint: expect.stringContaining('wstack policy pull'),
    });
  });

  it('is that of whose machine it is: what was heard for another is nothing', async () => {
    await open('ag-1').usage.now(24);
    server.state = 'away';
    await expect(open('ag-2').usage.now(24)).rejects.toThrow(WrongStackError);
  });

  it('begins anew with the day and the month, whether or not the server has said so', async () => {
    server.tokens = 50;
    const { usage } = open();
    await usage.now(720);
    server.state = 'away';
    now = Date.parse('2026-12-02T09:00:00Z');
    spend(3);
    expect((await usage.now(720)).user).toMatchObject({ day: used(3), month: used(1_053) });
    now = Date.parse('2027-01-01T01:00:00Z');
    expect((await usage.now(24 * 90)).user).toMatchObject({ day: used(0), month: used(0) });
  });
});
