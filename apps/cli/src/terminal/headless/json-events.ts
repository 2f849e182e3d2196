import type { RunResult } from '../run-result.js';

/** The last line of both JSON modes, and all of `--output json`. */
export function resultFields(result: RunResult): Record<string, unknown> {
  const { asked: _asked, status, exitCode, text, session, run, model, ...rest } = result;
  return { type: 'result', status, exitCode, text, session, run, model, ...rest };
}
