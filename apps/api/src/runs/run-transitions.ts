import type { FileChange, JsonValue, RunId } from '@wrongstack/contracts';
import type { ServerRun } from '@wrongstack/contracts/control';
import type { RunOutcomeView } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { THE_SERVER } from '../control/action-trail.js';
import type { RunStep } from './run-ledger.js';
import { hasEnded, type RunBook, type RunUsed, specOf } from './run-record.js';

// Each change that a run may make, as a decision on what it is: null where it is too late for it.

type Decide = (run: ServerRun, book: RunBook) => RunStep | null;
type Final = 'succeeded' | 'failed' | 'cancelled';

/** What one attempt came to, added to what the run was before. */
export interface Progress {
  readonly used: RunUsed;
  readonly session: string | null;
  readonly denials: readonly object[];
  readonly files: readonly FileChange[];
}

/** Somebody takes it up: once, and only this attempt. */
export function claim(attempt: number, holder: string, at: string): Decide {
  return (run, book) =>
    run.state === 'queued' && book.attempt === attempt && run.cancel === null
      ? {
          run: { state: 'running', startedAt: run.startedAt ?? at },
          book: { holder: { id: holder, beat: 0 } },
          event: { type: 'run.running', data: { attempt } },
        }
      : null;
}

/** A sign of life, with what was used up until now. */
export function beat(holder: string, progress: Pick<Progress, 'used' | 'session'>): Decide {
  return (run, book) =>
    isMine(run, book, holder)
      ? { book: { ...progress, holder: { id: holder, beat: (book.holder?.beat ?? 0) + 1 } } }
      : null;
}

/** It waits for people, and holds nobody meanwhile. */
export function park(holder: string, progress: Progress, approvals: readonly string[]): Decide {
  return (run, book) =>
    isMine(run, book, holder)
      ? {
          run: { state: 'parked' },
          book: { ...progress, holder: null, waitsFor: approvals },
          event: { type: 'run.parked', data: { approvals } },
          action: { by: THE_SERVER, name: 'run.parked', data: { approvals } },
        }
      : null;
}

/** The process that executes it ends, and another one goes on. */
export function handBack(holder: string, progress: Progress, because: string): Decide {
  return (run, book) =>
    isMine(run, book, holder) ? again(book, { ...progress, holder: null }, because) : null;
}

/** An approval that it waited for was decided. */
export function goOn(because: string): Decide {
  return (run, book) => (run.state === 'parked' ? again(book, { waitsFor: [] }, because) : null);
}

function again(book: RunBook, changes: Partial<RunBook>, because: string): RunStep {
  const attempt = book.attempt + 1;
  return {
    run: { state: 'queued' },
    book: { ...changes, attempt },
    event: { type: 'run.queued', data: { attempt, because } },
    action: { by: THE_SERVER, name: 'run.resumed', data: { attempt, because } },
  };
}

/** Its own end, from whoever executes it. */
export function finish(
  holder: string,
  state: Final,
  progress: Progress,
  outcome: RunOutcomeView,
  at: string,
): Decide {
  return (run, book) => (isMine(run, book, holder) ? end(run, state, { ...progress, outcome }, at) : null);
}

/** Whoever executed it has given no sign of life since `beat`: nobody knows how far it came, so it is not started again. */
export function giveUp(seen: NonNullable<RunBook['holder']>, at: string): Decide {
  return (run, book) => {
    const { holder } = book;
    if (run.state !== 'running' || holder?.id !== seen.id || holder.beat !== seen.beat) return null;
    const error = {
      code: 'run.worker_lost',
      message: 'the process that executed it is gone, so how far it came is not known',
      hint: 'its session holds what it had done; start another run that goes on from there',
    };
    const outcome: RunOutcomeView = {
      status: 'lost',
      text: '',
      error,
      denials: book.denials,
      files: book.files,
    };
    return end(run, run.cancel === null ? 'failed' : 'cancelled', { outcome }, at);
  };
}

/** Somebody wants it to end. One that nobody executes has ended with that; whoever executes it hears of it within a second. */
export function cancel(by: Principal, at: string): Decide {
  return (run, book) => {
    if (hasEnded(run) || run.cancel !== null) return null;
    const wish = { by: by.user, at };
    const action = { by, name: 'run.cancelled' };
    if (run.state === 'running') return { run: { cancel: wish }, action };
    const outcome = interrupted(book, by.user);
    return { ...end({ ...run, cancel: wish }, 'cancelled', { outcome }, at), action };
  };
}

export function interrupted(book: Pick<RunBook, 'denials' | 'files'>, by: string): RunOutcomeView {
  const error = { code: 'run.cancelled', message: `cancelled by ${by}`, hint: null };
  return { status: 'interrupted', text: '', error, denials: book.denials, files: book.files };
}

function end(run: ServerRun, state: Final, book: Partial<RunBook>, at: string): RunStep {
  const { status = 'failed', error = null } = book.outcome ?? {};
  const data: JsonValue = { state, status, error };
  return {
    run: { state, endedAt: at, cancel: run.cancel },
    book: { ...book, holder: null, waitsFor: [] },
    event: { type: 'end', data },
    action: { by: THE_SERVER, name: 'run.ended', data: { state, status, requester: specOf(run).by.user } },
  };
}

function isMine(run: ServerRun, book: RunBook, holder: string): boolean {
  return run.state === 'running' && book.holder?.id === holder;
}

/** What it is offered as. */
export function offerOf(
  { id }: Pick<ServerRun, 'id'>,
  { attempt }: RunBook,
): { run: RunId; attempt: number } {
  return { run: id, attempt };
}
