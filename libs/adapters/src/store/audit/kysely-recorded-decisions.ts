import type { DecisionPiece, DecisionWindow } from '@wrongstack/contracts/control';
import { RecordedDecisions } from '@wrongstack/contracts/control';
import type { RootSession } from '../store-session.js';

/** Places of the chain a piece: a few megabytes of text at most. */
const PLACES = 500;

export class KyselyRecordedDecisions extends RecordedDecisions {
  constructor(private readonly session: RootSession) {
    super();
  }

  override async *read(
    { afterSeq, throughSeq, from, to, team }: DecisionWindow,
    signal: AbortSignal,
  ): AsyncIterable<DecisionPiece> {
    for (let after = afterSeq; after < throughSeq; after += PLACES) {
      signal.throwIfAborted();
      const through = Math.min(after + PLACES, throughSeq);
      const decisions = await this.session.run((db) => {
        let query = db
          .selectFrom('audit_records')
          .select(['seq', 'at', 'actor', 'team', 'tool', 'body'])
          .where('seq', '>', after)
          .where('seq', '<=', through)
          .where('kind', '=', 'decision');
        if (from !== null) query = query.where('at', '>=', from);
        if (to !== null) query = query.where('at', '<', to);
        if (team !== null) query = query.where('team', '=', team);
        return query.orderBy('seq').execute();
      });
      yield { throughSeq: through, decisions };
    }
  }

  override async close(): Promise<void> {
    await this.session.close();
  }
}
