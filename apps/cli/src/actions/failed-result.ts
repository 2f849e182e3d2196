import { NO_USAGE } from '@wrongstack/contracts';
import { errorParts } from '../readable-error.js';
import { exitCodeOfError } from '../report-error.js';
import { type RunResult } from '../terminal/run-result.js';

/** The result of a run that failed before it began. */
export function failedResult(error: unknown): RunResult {
  const parts = errorParts(error);
  return {
    status: 'failed',
    exitCode: exitCodeOfError(parts.code),
    text: '',
    session: '',
    run: '',
    model: '',
    turns: 0,
    durationMs: 0,
    usage: NO_USAGE,
    costUsd: null,
    calls: { total: 0, ok: 0, failed: 0, denied: 0, timeout: 0, aborted: 0 },
    asked: 0,
    denials: [],
    pending: [],
    files: [],
    tasks: [],
    policy: { id: null, revision: null, state: 'none' },
    error: parts,
  };
}
