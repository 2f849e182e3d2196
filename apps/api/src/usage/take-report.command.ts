import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { UsageHolder } from '@wrongstack/contracts/control';
import { type MetricsReport, usedUpIn } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiHost } from '../host/api-host.js';
import { activityIn } from '../metrics/reported-activity.js';
import { addReport, type AddedReport } from '../metrics/delta-report.js';
import { dayOf, OLDEST_DAYS } from './day-of.js';

const HOUR_MS = 3_600_000;
/** As long as reports are taken: a laptop that did not hear the answer and was closed for a month sends it again. */
const KEYS_KEPT_MS = (OLDEST_DAYS + 1) * 24 * HOUR_MS;
const DAYS_KEPT_MS = 400 * 24 * HOUR_MS;

/** What a machine counted. It is no change of the control plane, and stands in no log: budgets and metrics are fed by it. */
export class TakeReport extends Command<AddedReport> {
  constructor(
    readonly by: Principal,
    readonly key: string,
    readonly report: MetricsReport,
  ) {
    super();
  }
}

@CommandHandler(TakeReport)
export class TakeReportHandler implements ICommandHandler<TakeReport> {
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  /** The key is kept with what it counts for, in one transaction: after a crash in between it is sent again, and counts then. */
  async execute({ by, key, report }: TakeReport): Promise<AddedReport> {
    const { store, clock } = this.control;
    const [team] = by.teams;
    const holders: UsageHolder[] = [
      { kind: 'user', name: by.user },
      ...(team === undefined ? [] : [{ kind: 'team' as const, name: team }]),
    ];
    const at = isoNow(clock);
    const isNew = await store.transaction(async (tx) => {
      const day = dayOf(report.day, clock.now());
      const used = usedUpIn(report);
      if (!(await tx.usage.add({ principal: by.id, key, at, holders, day, used }))) return false;
      await tx.activity.add(activityIn(report.counters, team ?? null, at));
      return true;
    });
    await this.#prune();
    if (isNew) this.host.metrics.counter('wrongstack_fleet_reports_total');
    // Said again, the answer is the same, and nothing is added.
    return addReport(isNew ? this.host.metrics : null, report);
  }

  async #prune(): Promise<void> {
    const now = this.control.clock.now();
    if (now - this.#prunedAt < HOUR_MS) return;
    this.#prunedAt = now;
    const [keys, days] = [KEYS_KEPT_MS, DAYS_KEPT_MS].map((kept) => new Date(now - kept).toISOString());
    await this.control.store.usage.prune(keys ?? '', (days ?? '').slice(0, 10));
  }
}
