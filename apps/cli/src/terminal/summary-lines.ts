import { formatCost, formatDuration, formatTokens, plural } from './format.js';
import { line, span, wrapLine, type Line } from './lines.js';
import { messages } from './messages.js';
import type { RunResult } from './run-result.js';
import type { Look } from './theme.js';

/**
 * Two lines at the end of a run: what happened to the calls and files, what it took, and how to go on with the session.
 * `hintsResume`: false where the session is gone with its run.
 */
export function summaryLines(result: RunResult, look: Look, hintsResume = true): Line[] {
  const word = result.status === 'completed' ? messages.summary.done : messages.summary[result.status];
  const first = [word, ...(result.calls.total === 0 ? [] : [callsText(result)]), ...filesText(result)];
  const usage = result.usage;
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const second = [
    messages.summary.tokens(formatTokens(input), formatTokens(usage.outputTokens)),
    result.costUsd === null ? null : formatCost(result.costUsd),
    formatDuration(result.durationMs),
    hintsResume ? messages.summary.resume(result.session) : null,
  ].filter((part) => part !== null);
  const tone = result.status === 'completed' ? 'text' : result.status === 'failed' ? 'failed' : 'asks';
  return [
    ...wrapLine(line(span(first.join(look.marks.dot), tone)), look.columns, '  '),
    ...wrapLine(line(span(second.join(look.marks.dot), 'meta')), look.columns, '  '),
  ];
}

/** How to go on with a session, once, when it is left. */
export function resumeLine(session: string): Line {
  return line(span(messages.summary.resume(session), 'meta'));
}

/** `6 calls: 5 ran (1 asked), 1 denied`. */
function callsText(result: RunResult): string {
  const { calls } = result;
  const ran = calls.ok + calls.failed + calls.timeout + calls.aborted;
  const { summary } = messages;
  const parts = [
    summary.ran(ran, result.asked),
    calls.failed > 0 ? summary.callFailed(calls.failed) : null,
    calls.timeout > 0 ? summary.timedOut(calls.timeout) : null,
    calls.aborted > 0 ? summary.aborted(calls.aborted) : null,
    calls.denied > 0 ? summary.denied(calls.denied) : null,
    result.pending.length > 0 ? summary.pending(result.pending.length) : null,
  ].filter((part) => part !== null);
  return `${messages.summary.calls(calls.total)}: ${parts.join(', ')}`;
}

function filesText(result: RunResult): string[] {
  if (result.files.length === 0) return [];
  const added = result.files.reduce((sum, file) => sum + file.added, 0);
  const removed = result.files.reduce((sum, file) => sum + file.removed, 0);
  return [`${plural(result.files.length, 'file')} +${added} -${removed}`];
}
