import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlRequest, ControlResponse } from './control-http.js';
import { ControlProblem } from './control-http.js';
import { MetricReports } from './metric-reports.js';

/** Counts a key once, as the API does, and fails as it is told. */
class Server {
  readonly totals = new Map<string, number>();
  readonly keys = new Set<string>();
  fault: 'none' | 'away' | 'answer-lost' | number = 'none';

  async send({ body, headers }: ControlRequest): Promise<ControlResponse> {
    if (this.fault === 'away') throw new ControlProblem(503, 'control.unreachable', 'away');
    if (typeof this.fault === 'number') throw new ControlProblem(this.fault, 'refused', 'refused');
    const key = headers?.['idempotency-key'] ?? '';
    const { counters } = body as { counters: { name: string; value: number }[] };
    if (!this.keys.has(key))
      for (const { name, value } of counters) this.totals.set(name, (this.totals.get(name) ?? 0) + value);
    this.keys.add(key);
    if (this.fault === 'answer-lost') throw new ControlProblem(502, 'control.unreachable', 'cut off');
    return { status: 200, headers: new Headers(), body: {} };
  }
}

const total = (value: number, name = 'wrongstack_runs_total') => ({
  kind: 'counter',
  name,
  labels: {},
  value,
});

describe('MetricReports', () => {
  let folder: string;
  let server: Server;
  const signal = AbortSignal.timeout(60_000);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reports-'));
    server = new Server();
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  let clock = 0;
  const reports = () => new MetricReports(server, folder, () => (clock += 1));

  it('send what has grown, and each growth once', async () => {
    const mine = reports();
    await mine.keep([total(2), { ...total(7), kind: 'gauge', name: 'g' }]);
    await mine.keep([total(2)]);
    await mine.keep([total(5)]);
    expect(await mine.ship(signal)).toBe(2);
    expect(Object.fromEntries(server.totals)).toEqual({ wrongstack_runs_total: 5 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('wait on disk while the server is away, for whoever comes next', async () => {
    server.fault = 'away';
    const mine = reports();
    await mine.keep([total(3)]);
    await expect(mine.ship(signal)).rejects.toMatchObject({ code: 'control.unreachable' });
    server.fault = 'none';
    await reports().ship(signal);
    expect(server.totals.get('wrongstack_runs_total')).toBe(3);
  });

  it('count once although the answer was lost', async () => {
    server.fault = 'answer-lost';
    const mine = reports();
    await mine.keep([total(3)]);
    await expect(mine.ship(signal)).rejects.toMatchObject({ status: 502 });
    server.fault = 'none';
    await mine.ship(signal);
    expect(server.totals.get('wrongstack_runs_total')).toBe(3);
  });

  it('are given up where the server will never take them, or a file is torn', async () => {
    writeFileSync(join(folder, '0-torn.json'), '{"key":');
    server.fault = 404;
    const mine = reports();
    await mine.keep([total(3)]);
    expect(await mine.ship(signal)).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are no more than a bounded number, the newest', async () => {
    const mine = reports();
    for (let index = 0; index < 520; index += 1) writeFileSync(join(folder, `000000-${index}.json`), '{}');
    await mine.keep([total(1)]);
    expect(readdirSync(folder)).toHaveLength(500);
    await mine.ship(signal);
    expect(server.totals.get('wrongstack_runs_total')).toBe(1);
  });
});
