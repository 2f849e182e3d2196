import type { ProviderErrorCode, StopReason, Usage } from '@wrongstack/contracts';

/** A recorded conversation: what the model says, turn by turn, and what it must have been told before. */
export interface Script {
  readonly name?: string;
  /** How the model calls itself in responses; the script's own name when missing. */
  readonly model?: string;
  readonly turns: readonly ScriptTurn[];
}

/** One request's answer. A turn with `error` fails instead; the next request gets the next turn. */
export interface ScriptTurn {
  readonly expect?: ScriptExpectation;
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptCall[];
  /** `tool_use` with calls, else `end_turn`, when missing. */
  readonly stopReason?: StopReason;
  readonly usage?: Partial<Usage>;
  /** Waiting before the turn begins. */
  readonly delayMs?: number;
  /** Waiting between pieces of text, so that streaming can be watched. */
  readonly pieceDelayMs?: number;
  readonly error?: ScriptError;
}

export interface ScriptCall {
  /** Made from the turn and the position when missing, so a replay has the same ids. */
  readonly id?: string;
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Arguments as the model wrote them, for replies that do not parse or were cut off. */
  readonly rawInput?: string;
}

export interface ScriptError {
  readonly code: ProviderErrorCode;
  readonly message?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** By the code when missing. */
  readonly retryable?: boolean;
}

/** What the request must hold, or the script does not fit the conversation. */
export interface ScriptExpectation {
  /** The results of the turn before, in order (or by `call`); there may be more of them. */
  readonly results?: readonly ScriptResultMatcher[];
  /** Found in the text of the last user message. */
  readonly user?: string;
}

export interface ScriptResultMatcher {
  readonly call?: string;
  readonly contains?: string | readonly string[];
  readonly lacks?: string | readonly string[];
  readonly isError?: boolean;
}
