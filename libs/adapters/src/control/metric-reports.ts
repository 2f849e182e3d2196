import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MetricLabels } from '@wrongstack/contracts';
import { ensurePrivateFolder, writePrivateFile } from '../files/private-files.js';
import type { AgentSession } from './agent-session.js';
import { ControlProblem } from './control-http.js';

/** A counter as it stands now, from the start of the process on. */
export interface CounterTotal {
  readonly kind: string;
  readonly name: string;
  readonly labels: MetricLabels;
  readonly value: number;
}

interface Report {
  readonly key: string;
  readonly counters: readonly {
    readonly name: string;
    readonly labels: MetricLabels;
    readonly value: number;
  }[];
}

/** A machine that hears of no server for long keeps so many reports; the oldest go first. */
const MOST_REPORTS = 500;
const MOST_COUNTERS = 2_000;
/** Refused for what they are: they would be refused again. 404 is a server that takes none yet. */
const NEVER = [400, 404, 413, 422];

/**
 * What the counters of command lines grew by, on its way to the server. A report is on disk before it is sent, and sent under a key that
 * counts once, so that a lost answer or a killed process counts nothing twice.
 */
export class MetricReports {
  readonly #reported = new Map<string, number>();

  constructor(
    private readonly session: Pick<AgentSession, 'send'>,
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  /** Writes down what has grown since the last time. */
  async keep(totals: readonly CounterTotal[]): Promise<void> {
    const next = new Map<string, number>();
    const counters = totals.flatMap(({ kind, name, labels, value }) => {
      if (kind !== 'counter') return [];
      const id = JSON.stringify([name, labels]);
      const grown = value - (this.#reported.get(id) ?? 0);
      next.set(id, value);
      return grown > 0 ? [{ name, labels, value: grown }] : [];
    });
    if (counters.length === 0) return;
    await ensurePrivateFolder(this.folder);
    for (let from = 0; from < counters.length; from += MOST_COUNTERS) {
      const key = randomUUID();
      const report: Report = { key, counters: counters.slice(from, from + MOST_COUNTERS) };
      await writePrivateFile(
        join(this.folder, `${String(this.now()).padStart(15, '0')}-${key}.json`),
        JSON.stringify(report),
      );
    }
    for (const [id, value] of next) this.#reported.set(id, value);
    const names = await this.#names();
    for (const name of names.slice(0, Math.max(0, names.length - MOST_REPORTS))) await this.#forget(name);
  }

  /** Sends what is there, the oldest first; how many were taken. Throws what `send` throws where the server is away: they stay. */
  async ship(signal: AbortSignal): Promise<number> {
    let taken = 0;
    for (const name of await this.#names()) {
      const report = await this.#read(name);
      if (report !== null) {
        try {
          const headers = { 'idempotency-key': report.key };
          const body = { counters: report.counters };
          await this.session.send({ method: 'POST', path: 'metrics/deltas', body, headers }, signal);
          taken += 1;
        } catch (error) {
          if (!(error instanceof ControlProblem) || !NEVER.includes(error.status)) throw error;
        }
      }
      await this.#forget(name);
    }
    return taken;
  }

  async #names(): Promise<readonly string[]> {
    const all = await readdir(this.folder).catch(() => []);
    return all.filter((name) => name.endsWith('.json')).sort();
  }

  /** Null where it is gone (another process sent it) or torn (a machine lost power): there is nothing to send. */
  async #read(name: string): Promise<Report | null> {
    try {
      // Written by this class in a folder that only this person writes; the server checks every field again.
      const report = JSON.parse(await readFile(join(this.folder, name), 'utf8')) as Partial<Report> | null;
      const { key, counters } = report ?? {};
      return typeof key === 'string' && Array.isArray(counters) ? { key, counters } : null;
    } catch {
      return null;
    }
  }

  async #forget(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }
}
