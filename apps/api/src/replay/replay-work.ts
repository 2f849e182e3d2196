import type { DecisionWindow, RecordedDecisions, ReplayFlip } from '@wrongstack/contracts/control';
import { redecide } from './redecide.js';
import { replayContexts, type ReplayTexts } from './replay-contexts.js';

/** One replay, as plain data. */
export interface ReplayWork {
  readonly texts: ReplayTexts;
  readonly window: DecisionWindow;
}

/** What one piece of the chain gave. */
export interface ReplayPiece {
  readonly throughSeq: number;
  readonly looked: number;
  readonly skipped: number;
  readonly flips: readonly ReplayFlip[];
}

/** Piece by piece; memory does not grow with the number of decisions. `pause`: between pieces, for those who share the thread. */
export async function* replayPieces(
  { texts, window }: ReplayWork,
  decisions: RecordedDecisions,
  signal: AbortSignal,
  pause: () => Promise<void>,
): AsyncGenerator<ReplayPiece> {
  const contexts = await replayContexts(texts);
  for await (const piece of decisions.read(window, signal)) {
    const flips: ReplayFlip[] = [];
    let skipped = 0;
    for (const row of piece.decisions) {
      const outcome = redecide(row, contexts);
      if (outcome.kind === 'flip') flips.push(outcome.flip);
      if (outcome.kind === 'unknown') skipped += 1;
    }
    yield { throughSeq: piece.throughSeq, looked: piece.decisions.length, skipped, flips };
    await pause();
  }
}
