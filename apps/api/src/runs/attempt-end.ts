import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';
import type { AgentResult } from '@wrongstack/kernel';
import type { RunOutcomeView } from '@wrongstack/contracts/wire';
import type { RunBook } from './run-record.js';
import type { Progress } from './run-transitions.js';
import type { StopReason } from './stop-reason.js';
import { tokensOf } from './run-limits.js';

/** What becomes of a run after an attempt. */
export type AttemptEnd =
  | {
      readonly kind: 'final';
      readonly state: 'succeeded' | 'failed' | 'cancelled';
      readonly outcome: RunOutcomeView;
    }
  | { readonly kind: 'parked'; readonly approvals: readonly string[] }
  | { readonly kind: 'handed-back'; readonly because: string }
  | { readonly kind: 'taken' };

const MOST_TEXT = 200_000;
const MOST_DENIALS = 100;
const MOST_FILES = 500;

/** What was used and done over all attempts, this one's result included. */
export function progressOf(book: RunBook, result: AgentResult, session: string | null, ms: number): Progress {
  const { used } = book;
  const cost = result.costUsd === null ? used.costUsd : (used.costUsd ?? 0) + result.costUsd;
  const files = new Map(book.files.map((file) => [file.path, file]));
  for (const { path, added, removed } of result.files) {
    const before = files.get(path);
    files.set(path, { path, added: added + (before?.added ?? 0), removed: removed + (before?.removed ?? 0) });
  }
  return {
    session,
    used: {
      turns: used.turns + result.turns,
      toolCalls: used.toolCalls + result.calls.total,
      tokens: used.tokens + tokensOf(result.usage),
      costUsd: cost,
      ms: used.ms + ms,
    },
    denials: [...book.denials, ...result.denials].slice(0, MOST_DENIALS),
    files: [...files.values()].slice(0, MOST_FILES),
  };
}

/** `stop`: what stopped it from outside, if anything did before it had ended by itself. */
export function endOf(
  result: AgentResult,
  progress: Progress,
  stop: StopReason | null,
  tolerateDenials: boolean,
): AttemptEnd {
  const { denials, files } = progress;
  const text = result.text.slice(0, MOST_TEXT);
  const failed = (status: RunOutcomeView['status'], error: RunOutcomeView['error']): AttemptEnd => ({
    kind: 'final',
    state: 'failed',
    outcome: { status, text, error, denials, files },
  });
  switch (result.status) {
    case 'interrupted':
      return stopped(stop, { text, denials, files });
    case 'failed':
    case 'limit':
      return failed(result.status, result.error);
    case 'completed':
    case 'stopped_by_policy': {
      if (result.pending.length > 0) return { kind: 'parked', approvals: askedIn(result) };
      if (denials.length === 0 || tolerateDenials) {
        const outcome: RunOutcomeView = { status: 'completed', text, error: null, denials, files };
        return { kind: 'final', state: 'succeeded', outcome };
      }
      return failed('stopped_by_policy', {
        code: 'run.denied',
        message: `${denials.length} calls were denied by policy`,
        hint: 'result.denials says which rules; tolerateDenials takes it for a success',
      });
    }
  }
}

/** Approvals that wait for an answer. */
export function askedIn({ pending }: Pick<AgentResult, 'pending'>): readonly string[] {
  return pending.map(({ approval }) => approval);
}

function stopped(
  stop: StopReason | null,
  rest: Pick<RunOutcomeView, 'text' | 'denials' | 'files'>,
): AttemptEnd {
  const final = (
    state: 'failed' | 'cancelled',
    status: RunOutcomeView['status'],
    code: string,
    message: string,
  ): AttemptEnd => ({
    kind: 'final',
    state,
    outcome: { ...rest, status, error: { code, message, hint: null } },
  });
  switch (stop?.kind) {
    case 'taken':
      return { kind: 'taken' };
    case 'process-ends':
      return { kind: 'handed-back', because: 'the process that executed it ended' };
    case 'cancelled':
      return final('cancelled', 'interrupted', 'run.cancelled', `cancelled by ${stop.by}`);
    case 'time':
      return final('failed', 'limit', 'run.time_limit', 'it worked for as long as its limits allow');
    case 'gone':
      return final('failed', 'interrupted', 'run.revoked', stop.because);
    case undefined:
      return final('failed', 'interrupted', 'run.interrupted', 'it was interrupted');
  }
}

/** It could not begin, or something of ours broke: the run has failed, and says why. */
export function brokenEnd(error: unknown, book: RunBook, scrub: (text: string) => string): AttemptEnd {
  const hint = error instanceof WrongStackError ? (error.hint ?? null) : null;
  return {
    kind: 'final',
    state: 'failed',
    outcome: {
      status: 'failed',
      text: '',
      error: { code: codeOf(error), message: scrub(messageOf(error)), hint },
      denials: book.denials,
      files: book.files,
    },
  };
}
