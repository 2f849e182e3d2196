import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, messageOf, WrongStackError } from '@wrongstack/contracts';
import {
  type HolderUsage,
  type MetricsReport,
  type UsageAnswer,
  type UsedUp,
  usedUpIn,
} from '@wrongstack/contracts/wire';
import { writePrivateFile } from '../files/private-files.js';
import type { AgentSession } from './agent-session.js';
import type { MetricReports } from './metric-reports.js';

/** While a run goes on, the server is asked again beside it when its answer is older. */
const REFRESH_MS = 20_000;
/** What the first look of a process may wait for an answer, before it goes on with what another process heard. */
const FIRST_MS = 5_000;
const HOUR_MS = 3_600_000;

interface Heard {
  /** Whose machine it is: an answer for somebody else says nothing. */
  readonly agent: string;
  /** By the clock of this machine. */
  readonly heardAt: number;
  readonly answer: UsageAnswer;
}

export interface SharedUsageParts {
  readonly session: AgentSession;
  readonly reports: MetricReports;
  readonly folder: string;
  readonly agent: string;
  readonly clock: Clock;
}

/**
 * What a person and their team used up over all machines: the last answer of the server, and what this machine has not told it yet. Asked at
 * the start of a process, and beside the work from then on. Without a server the last answer counts as long as the policy may be stale;
 * after that, or where there never was one, it is not known, and what cannot be known is not allowed.
 */
export class SharedUsage {
  #heard: Heard | null = null;
  #asking: Promise<void> | null = null;
  #first: Promise<void> | null = null;
  #trouble: string | null = null;

  constructor(private readonly parts: SharedUsageParts) {}

  /** Throws `budget.unknown`. */
  async now(
    staleGraceHours: number,
  ): Promise<{ readonly user: HolderUsage; readonly team: HolderUsage | null }> {
    await (this.#first ??= this.#begin());
    const { reports } = this.parts;
    const written = await reports.written();
    // Both at one moment: an answer that comes in between has what is unheard no longer.
    const [heard, unheard] = [this.#heard, reports.unheard(written)];
    const age = heard === null ? Infinity : this.parts.clock.now() - heard.heardAt;
    if (age > REFRESH_MS) void this.#refresh();
    if (heard === null || age > staleGraceHours * HOUR_MS) throw this.#unknown(heard, staleGraceHours);
    const today = new Date(Date.parse(heard.answer.at) + Math.max(0, age)).toISOString().slice(0, 10);
    const { user, team, at } = heard.answer;
    return {
      user: asOf(user, at, today, unheard),
      team: team === null ? null : asOf(team, at, today, unheard),
    };
  }

  async #begin(): Promise<void> {
    this.parts.reports.noteArrivals();
    this.#heard = await this.#stored();
    const asked = this.#refresh();
    // A server that hangs must not hold the run where another process has heard from it.
    if (this.#heard !== null) await Promise.race([asked, pause(FIRST_MS)]);
    else await asked;
  }

  #refresh(): Promise<void> {
    this.#asking ??= this.#ask()
      .then(() => {
        this.#trouble = null;
      })
      .catch((error: unknown) => {
        this.#trouble = messageOf(error);
      })
      .finally(() => {
        this.#asking = null;
      });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { session, reports, agent, clock, folder } = this.parts;
    await reports.ask(
      async () => {
        const { body } = await session.send(
          { path: 'usage/mine', timeoutMs: FIRST_MS },
          AbortSignal.timeout(2 * FIRST_MS),
        );
        if (!isAnswer(body))
          throw new WrongStackError('control.bad_answer', 'the answer to usage/mine has no user');
        return body;
      },
      (answer) => (this.#heard = { agent, heardAt: clock.now(), answer }),
    );
    await writePrivateFile(join(folder, 'usage.json'), JSON.stringify(this.#heard)).catch(() => undefined);
  }

  async #stored(): Promise<Heard | null> {
    try {
      const read = JSON.parse(
        await readFile(join(this.parts.folder, 'usage.json'), 'utf8'),
      ) as Partial<Heard>;
      const { agent, heardAt, answer } = read;
      if (agent !== this.parts.agent || typeof heardAt !== 'number' || !isAnswer(answer)) return null;
      // From a clock that has gone back since: as old as can be told.
      return { agent, heardAt: Math.min(heardAt, this.parts.clock.now()), answer };
    } catch {
      return null;
    }
  }

  #unknown(heard: Heard | null, graceHours: number): WrongStackError {
    const why = this.#trouble === null ? '' : `: ${this.#trouble}`;
    const what =
      heard === null
        ? `what you and your team used up is not known, and the policy limits it${why}`
        : `what you and your team used up was last known ${heard.answer.at}, more than ${graceHours} h ago, and the policy limits it${why}`;
    return new WrongStackError('budget.unknown', what, {
      hint: 'runs go on as soon as the server answers: wstack policy pull',
    });
  }
}

/** An answer of yesterday says nothing of today; one of last month nothing of this one. */
function asOf(
  { name, day, month }: HolderUsage,
  at: string,
  today: string,
  unheard: readonly MetricsReport[],
): HolderUsage {
  const NOTHING: UsedUp = { tokens: 0, costUsd: 0, toolCalls: 0 };
  // A report from a clock that is ahead counts for today on the server as well.
  const since = (first: string) => unheard.filter((report) => (report.day ?? today) >= first);
  const sum = (base: UsedUp, reports: readonly MetricsReport[]): UsedUp =>
    reports.map(usedUpIn).reduce(
      (total, one) => ({
        tokens: total.tokens + one.tokens,
        costUsd: total.costUsd + one.costUsd,
        toolCalls: total.toolCalls + one.toolCalls,
      }),
      base,
    );
  const month0 = today.slice(0, 7);
  return {
    name,
    day: sum(at.startsWith(today) ? day : NOTHING, since(today)),
    month: sum(at.startsWith(month0) ? month : NOTHING, since(`${month0}-01`)),
  };
}

/** The members that are computed with; a server that says less says nothing. */
function isAnswer(value: unknown): value is UsageAnswer {
  const { at, user, team } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return (
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    isHolder(user) &&
    (team === null || isHolder(team))
  );
}

function isHolder(value: unknown): value is HolderUsage {
  if (typeof value !== 'object' || value === null) return false;
  const { name, day, month } = value as Record<string, unknown>;
  return typeof name === 'string' && isUsed(day) && isUsed(month);
}

function isUsed(value: unknown): value is UsedUp {
  if (typeof value !== 'object' || value === null) return false;
  const { tokens, costUsd, toolCalls } = value as Record<string, unknown>;
  return [tokens, costUsd, toolCalls].every(
    (one) => typeof one === 'number' && Number.isFinite(one) && one >= 0,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
