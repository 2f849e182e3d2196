import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { AuditReceipt } from '@wrongstack/contracts/control';
import type { AuditBatch, BatchReceipt } from '@wrongstack/contracts/wire';
import { auditIdentityOf, type Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiHost } from '../host/api-host.js';
import { readBatch } from './read-entry.js';
import { ShadowRules } from './shadow-rules.js';

/** Takes a client's records into the organisation's chain, once, however often they are sent. */
export class IngestBatch extends Command<BatchReceipt> {
  constructor(
    readonly by: Principal,
    readonly batch: AuditBatch,
  ) {
    super();
  }
}

@CommandHandler(IngestBatch)
export class IngestBatchHandler implements ICommandHandler<IngestBatch> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ShadowRules) private readonly shadow: ShadowRules,
    @Inject(ApiHost) private readonly host: ApiHost,
  ) {}

  async execute({ by, batch }: IngestBatch): Promise<BatchReceipt> {
    const { store, clock } = this.control;
    const at = isoNow(clock);
    const who = auditIdentityOf(by);
    const records = readBatch(batch, who);
    // A chain belongs to whoever ships it: nobody continues, or spoils, that of another.
    const source = `${by.id}/${batch.source}`;
    const counted = await this.shadow.countsIn(records, who.team);
    // Without anything to count beside it, an append shares its commit with those that wait at the same time.
    const receipt: AuditReceipt =
      counted.length === 0
        ? await store.audit.append({ source, records }, at)
        : await store.transaction(async (tx) => {
            const appended = await tx.audit.append({ source, records }, at);
            const fresh = counted.filter(({ seq }) => !appended.repeated.includes(seq));
            await tx.shadow.add(fresh.map(({ count }) => count));
            return appended;
          });
    const repeated = new Set(receipt.repeated);
    for (const { seq, entry } of records) {
      const lag = clock.now() - Date.parse(entry.ts);
      // A clock that is ahead of ours ships in no time.
      if (!repeated.has(seq))
        this.host.metrics.histogram('wrongstack_audit_ship_lag_seconds', Math.max(0, lag) / 1000);
    }
    return {
      source: batch.source,
      acknowledged: batch.first + records.length - 1,
      duplicates: receipt.duplicates,
      flagged: receipt.flagged.length > 0,
    };
  }
}
