/** A recorded decision as its row has it. `body`: canonical JSON of a `ChainedContent`. */
export interface RecordedDecision {
  readonly seq: number;
  readonly at: string;
  readonly actor: string | null;
  readonly team: string | null;
  readonly tool: string | null;
  readonly body: string;
}

/** `afterSeq` exclusive, `throughSeq` inclusive; times as in `AuditFilter`. */
export interface DecisionWindow {
  readonly afterSeq: number;
  readonly throughSeq: number;
  readonly from: string | null;
  readonly to: string | null;
  /** Null = of everybody. */
  readonly team: string | null;
}

/** Everything up to `throughSeq` that had not been read before. */
export interface DecisionPiece {
  readonly throughSeq: number;
  readonly decisions: readonly RecordedDecision[];
}

/**
 * Reads recorded decisions over a connection of its own, which never writes: for a thread beside the one that serves. Codes as in
 * `ControlStore`.
 */
export abstract class RecordedDecisions {
  /** In chain order, in pieces, with memory that does not grow. Holds no transaction between pieces. */
  abstract read(window: DecisionWindow, signal: AbortSignal): AsyncIterable<DecisionPiece>;
  abstract close(): Promise<void>;
}
