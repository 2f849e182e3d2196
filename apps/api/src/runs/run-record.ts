import type { FileChange, JsonValue } from '@wrongstack/contracts';
import type { ServerRun, ServerRunState } from '@wrongstack/contracts/control';
import type { RunLimits, RunOutcomeView } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';

/** What a run was started with. Never changes. */
export interface RunSpec {
  readonly workspace: string;
  readonly prompt: string;
  readonly model: string | null;
  readonly limits: RunLimits;
  readonly tolerateDenials: boolean;
  /** Who asked, as they were then. Whether they still may is asked whenever the run is taken up. */
  readonly by: Principal;
}

/** What a run has used up over all its attempts. */
export interface RunUsed {
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly costUsd: number | null;
  readonly ms: number;
}

/** What moves while a run goes on. */
export interface RunBook {
  readonly attempt: number;
  /** Who executes it. `beat` grows while they live; no clock is compared with another machine's. */
  readonly holder: { readonly id: string; readonly beat: number } | null;
  readonly session: string | null;
  readonly waitsFor: readonly string[];
  readonly used: RunUsed;
  readonly denials: readonly object[];
  readonly files: readonly FileChange[];
  readonly outcome: RunOutcomeView | null;
}

export const NEW_BOOK: RunBook = {
  attempt: 1,
  holder: null,
  session: null,
  waitsFor: [],
  used: { turns: 0, toolCalls: 0, tokens: 0, costUsd: null, ms: 0 },
  denials: [],
  files: [],
  outcome: null,
};

const FINAL: ReadonlySet<ServerRunState> = new Set(['succeeded', 'failed', 'cancelled']);

export function hasEnded({ state }: Pick<ServerRun, 'state'>): boolean {
  return FINAL.has(state);
}

// Both columns hold what this file's types describe, written by the functions below and by nobody else.

export function specOf(run: Pick<ServerRun, 'spec'>): RunSpec {
  return run.spec as unknown as RunSpec;
}

export function bookOf(run: Pick<ServerRun, 'result'>): RunBook {
  return run.result as unknown as RunBook;
}

/** As the store keeps it: plain JSON. */
export function asJson(value: RunSpec | RunBook): JsonValue {
  return value as unknown as JsonValue;
}

/** What of a limit is left; null = there is none. */
export function left(limit: number | null | undefined, used: number): number | null {
  return limit === null || limit === undefined ? null : Math.max(0, limit - used);
}
