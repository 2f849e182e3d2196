import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MetricsReport } from '@wrongstack/contracts/wire';
import { isReported } from '../metrics/metric-definitions.js';
import { PrometheusMetricsSink } from '../metrics/prometheus-metrics-sink.js';
import type { Growth } from '../metrics/series-growth.js';
import type { ControlRequest, ControlResponse } from './control-http.js';
import { ControlProblem } from './control-http.js';
import type { WrittenReport } from './arrivals.js';
import { MetricReports } from './metric-reports.js';

/** Counts a key once, as the API does, and fails as it is told. */
class Server {
  readonly totals = new Map<string, number>();
  readonly keys = new Set<string>();
  readonly bodies: MetricsReport[] = [];
  fault: 'none' | 'away' | 'answer-lost' | number = 'none';

  async send({ body, headers }: ControlRequest): Promise<ControlResponse> {
    if (this.fault === 'away') throw new ControlProblem(503, 'control.unreachable', 'away');
    if (typeof this.fault === 'number') throw new ControlProblem(this.fault, 'refused', 'refused');
    const key = headers?.['idempotency-key'] ?? '';
    const report = body as MetricsReport;
    if (!this.keys.has(key)) {
      this.bodies.push(report);
      for (const { name, value } of report.counters)
        this.totals.set(name, (this.totals.get(name) ?? 0) + value);
    }
    this.keys.add(key);
    if (this.fault === 'answer-lost') throw new ControlProblem(502, 'control.unreachable', 'cut off');
    return { status: 200, headers: new Headers(), body: {} };
  }
}

const NAME = 'wrongstack_runs_total';
const SECONDS = 'wrongstack_run_seconds';
const DAY_MS = 86_400_000;

describe('MetricReports', () => {
  let folder: string;
  let server: Server;
  let sink: PrometheusMetricsSink;
  let clock: number;
  const signal = AbortSignal.timeout(60_000);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reports-'));
    server = new Server();
    sink = new PrometheusMetricsSink();
    clock = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const reports = (of = sink) =>
    new MetricReports(
      server,
      folder,
      () => (clock += 1),
      () => of.growth.take(isReported),
    );
  const runs = (count: number, of = sink) => of.counter(NAME, count, { status: 'completed' });

  it('send what has grown, and each growth once, histograms too', async () => {
    const mine = reports();
    runs(2);
    sink.gauge('wrongstack_runs_active', 7);
    sink.histogram(SECONDS, 2, { status: 'completed' });
    await mine.keep();
    await mine.keep();
    runs(3);
    sink.histogram(SECONDS, 40, { status: 'completed' });
    await mine.keep();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await mine.ship(signal)).toBe(1);
    expect(await mine.ship(signal)).toBe(0);
    expect(Object.fromEntries(server.totals)).toEqual({ [NAME]: 5 });
    expect(server.bodies).toMatchObject([{ day: '1970-01-01', histograms: [{ sum: 42, count: 2 }] }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('wait on disk while the server is away, in two files however often it is tried', async () => {
    server.fault = 'away';
    const mine = reports();
    for (let time = 0; time < 5; time += 1) {
      runs(3);
      await mine.keep();
      await expect(mine.ship(signal)).rejects.toMatchObject({ code: 'control.unreachable' });
    }
    expect(readdirSync(folder)).toHaveLength(2);
    server.fault = 'none';
    await mine.ship(signal);
    expect(server.totals.get(NAME)).toBe(15);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a process that was killed are sent by whoever comes next, those of one that lives are left to it', async () => {
    const living = reports();
    runs(1);
    await living.keep();
    const file = readdirSync(folder)[0] ?? '';
    const written = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { owner: object };
    const killed = { ...written, key: 'killed', owner: { ...written.owner, pid: 2 ** 30 } };
    writeFileSync(join(folder, '000000000000000-killed.open'), JSON.stringify(killed));
    const other = reports(new PrometheusMetricsSink());
    await other.ship(signal);
    expect(server.totals.get(NAME)).toBe(1);
    expect(readdirSync(folder)).toEqual([file]);
    runs(1);
    await living.ship(signal);
    expect(server.totals.get(NAME)).toBe(3);
  });

  it('count once although the answer was lost', async () => {
    server.fault = 'answer-lost';
    const mine = reports();
    runs(3);
    await expect(mine.ship(signal)).rejects.toMatchObject({ status: 502 });
    server.fault = 'none';
    runs(1);
    await mine.ship(signal);
    expect(server.totals.get(NAME)).toBe(4);
  });

  it('say on which day it was, one report a day', async () => {
    const mine = reports();
    runs(1);
    await mine.keep();
    clock = DAY_MS;
    runs(2);
    await mine.keep();
    await mine.ship(signal);
    expect(server.bodies.map(({ day, counters }) => [day, counters[0]?.value])).toEqual([
      ['1970-01-01', 1],
      ['1970-01-02', 2],
    ]);
  });

  it('tell what the server has not been asked about since, each report once, whenever the disk was read', async () => {
    const mine = reports();
    const values = (of: readonly WrittenReport[]) =>
      mine.unheard(of).flatMap(({ counters }) => counters.map(({ value }) => value));
    runs(2);
    mine.noteArrivals();
    const before = await mine.written();
    expect(values(before)).toEqual([2]);
    await mine.ship(signal);
    const after = await mine.written();
    expect([values(before), values(after)]).toEqual([[2], [2]]);
    await mine.ask(
      async () => 'all of it',
      () => undefined,
    );
    expect([values(before), values(after)]).toEqual([[], []]);
  });

  it('are not on their way while the server is asked what it has', async () => {
    const mine = reports();
    runs(2);
    let answer: (() => void) | undefined;
    const asked = mine.ask(
      () => new Promise<void>((resolve) => (answer = resolve)),
      () => undefined,
    );
    const shipped = mine.ship(signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.bodies).toEqual([]);
    answer?.();
    await asked;
    await expect(shipped).resolves.toBe(1);
  });

  it('are given up where the server will never take them, or a file is torn', async () => {
    writeFileSync(join(folder, '0-torn.json'), '{"key":');
    server.fault = 404;
    runs(3);
    expect(await reports().ship(signal)).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are no more than a bounded number, the newest', async () => {
    const mine = reports();
    for (let index = 0; index < 520; index += 1) writeFileSync(join(folder, `000000-${index}.json`), '{}');
    runs(1);
    await mine.keep();
    expect(readdirSync(folder)).toHaveLength(500);
    await mine.ship(signal);
    expect(server.totals.get(NAME)).toBe(1);
  });

  it('are each short enough for the server, however much there is', async () => {
    const counters = Array.from({ length: 4_500 }, (_, index) => ({
      name: NAME,
      labels: { status: String(index) },
      value: 1,
    }));
    let grown: Growth = { counters, histograms: [] };
    const mine = new MetricReports(
      server,
      folder,
      () => (clock += 1),
      () => {
        const all = grown;
        grown = { counters: [], histograms: [] };
        return all;
      },
    );
    await mine.ship(signal);
    await mine.ship(signal);
    expect(server.bodies.map((body) => body.counters.length)).toEqual([2_000, 2_000, 500]);
    expect(server.totals.get(NAME)).toBe(4_500);
  });
});
