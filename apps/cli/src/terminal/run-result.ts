import type { FileChange, RunStatus, Usage } from '@wrongstack/contracts';

/** How calls ended, counted; `total` includes parked ones, which never ran. */
export interface CallCounts {
  readonly total: number;
  readonly ok: number;
  readonly failed: number;
  readonly denied: number;
  readonly timeout: number;
  readonly aborted: number;
}

export interface DeniedCall {
  readonly call: string;
  readonly tool: string;
  readonly decision: string | null;
  readonly rule: string | null;
  readonly because: string;
  readonly instead: string | null;
}

export interface PendingCall {
  readonly call: string;
  readonly approval: string;
  readonly expiresAt: string | null;
}

/** What a run amounted to: what the summary shows and the JSON result line carries. */
export interface RunResult {
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly text: string;
  readonly session: string;
  readonly run: string;
  readonly model: string;
  readonly turns: number;
  readonly durationMs: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly calls: CallCounts;
  /** How many of the calls that ran a person was asked about. */
  readonly asked: number;
  readonly denials: readonly DeniedCall[];
  readonly pending: readonly PendingCall[];
  readonly files: readonly FileChange[];
  readonly tasks: readonly { readonly task: string; readonly state: string }[];
  readonly policy: { readonly id: string | null; readonly revision: number | null; readonly state: string };
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

export const EXIT_CODES = { done: 0, failed: 1, usage: 2, stoppedByPolicy: 3, interrupted: 130 } as const;

/**
 * The status that is reported and its exit code. The model may say that it is done although calls were stopped: that is
 * not a success unless the caller said it tolerates denials.
 */
export function outcomeOf(
  status: RunStatus,
  stopped: { readonly denied: number; readonly pending: number },
  tolerateDenials: boolean,
): { readonly status: RunStatus; readonly exitCode: number } {
  switch (status) {
    case 'failed':
    case 'limit':
      return { status, exitCode: EXIT_CODES.failed };
    case 'interrupted':
      return { status, exitCode: EXIT_CODES.interrupted };
    case 'completed':
    case 'stopped_by_policy': {
      const wasStopped = status === 'stopped_by_policy' || stopped.denied > 0 || stopped.pending > 0;
      return wasStopped && !tolerateDenials
        ? { status: 'stopped_by_policy', exitCode: EXIT_CODES.stoppedByPolicy }
        : { status: 'completed', exitCode: EXIT_CODES.done };
    }
  }
}
