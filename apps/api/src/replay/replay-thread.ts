import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openRecordedDecisions, type StorePlace } from '@wrongstack/adapters/store';
import { codeOf, messageOf, WrongStackError } from '@wrongstack/contracts';
import { replayPieces, type ReplayPiece, type ReplayWork } from './replay-work.js';

/** What a thread that replays is started with. The program's own file is its entry, and asks for this. */
interface ThreadTask {
  readonly kind: 'replay';
  readonly place: StorePlace;
  readonly work: ReplayWork;
}

type FromThread =
  | { readonly kind: 'piece'; readonly piece: ReplayPiece }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** Where replays run: what `replayPieces` gives, and the caller's event loop left alone. */
export type ReplayPlayer = (work: ReplayWork, signal: AbortSignal) => AsyncIterable<ReplayPiece>;

/** In a thread of its own, with a connection of its own. `entry`: the program, whose start calls `runReplayThread`. */
export function replayInThread(entry: string | URL, place: StorePlace): ReplayPlayer {
  return (work, signal) => piecesOfThread(entry, { kind: 'replay', place, work }, signal);
}

/** In this thread, which has its turn between pieces. */
export function replayHere(place: StorePlace): ReplayPlayer {
  return async function* (work, signal) {
    const decisions = await openRecordedDecisions(place);
    try {
      yield* replayPieces(work, decisions, signal, nextTurn);
    } finally {
      await decisions.close();
    }
  };
}

/** Whether this very thread was started to replay. */
export function isReplayThread(): boolean {
  return !isMainThread && (workerData as Partial<ThreadTask> | null)?.kind === 'replay';
}

/** The thread's side: one piece is under way and one is waiting, never more. */
export async function runReplayThread(): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  // isReplayThread has seen its kind, and only piecesOfThread starts such threads.
  const { place, work } = workerData as ThreadTask;
  const tell = (message: FromThread): void => port.postMessage(message);
  const decisions = await openRecordedDecisions(place);
  let asked = 1;
  let wake: () => void = () => undefined;
  port.on('message', () => {
    asked += 1;
    wake();
  });
  const taken = async (): Promise<void> => {
    asked -= 1;
    if (asked < 0) await new Promise<void>((resolve) => (wake = resolve));
  };
  try {
    // The caller ends the thread as a whole.
    for await (const piece of replayPieces(work, decisions, new AbortController().signal, taken))
      tell({ kind: 'piece', piece });
    tell({ kind: 'end' });
  } catch (error) {
    tell({ kind: 'failed', code: codeOf(error), message: messageOf(error) });
  } finally {
    await decisions.close();
    port.close();
  }
}

async function* piecesOfThread(
  entry: string | URL,
  task: ThreadTask,
  signal: AbortSignal,
): AsyncGenerator<ReplayPiece> {
  signal.throwIfAborted();
  const thread = new Worker(entry, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  const messages: FromThread[] = [];
  let wake: () => void = () => undefined;
  const add = (message: FromThread): void => {
    messages.push(message);
    wake();
  };
  thread.on('message', add);
  thread.on('error', (error) => add({ kind: 'failed', code: codeOf(error), message: messageOf(error) }));
  thread.on('exit', () =>
    add({ kind: 'failed', code: 'replay.thread_ended', message: 'the thread ended before the replay did' }),
  );
  const aborted = (): void => wake();
  signal.addEventListener('abort', aborted, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const message = messages.shift();
      if (message === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      switch (message.kind) {
        case 'piece':
          yield message.piece;
          thread.postMessage('more');
          break;
        case 'end':
          return;
        case 'failed':
          throw new WrongStackError(message.code, message.message);
      }
    }
  } finally {
    signal.removeEventListener('abort', aborted);
    await thread.terminate();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
