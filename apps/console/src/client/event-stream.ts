import { session } from '../session/session.js';
import { connection } from './connection.js';
import { ProblemError, problemIn } from './problem.js';
import { EventReader, type ServerEvent } from './read-events.js';

/** The API gives a sign of life every 15 s. One that is late makes the stream slow; after two nobody knows how old the page is. */
const SLOW_MS = 20_000;
const QUIET_MS = 40_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * `live`: what is shown is how it is. `slow`: nothing was heard for a while. `late`: it was given up, and another is being opened.
 * `ended`: the stream said so itself. `refused`: not for this person.
 */
export type StreamState = 'connecting' | 'live' | 'slow' | 'late' | 'ended' | 'refused';

/** What each stream that is not live does when somebody would not wait. */
const impatient = new Set<() => void>();

/** Opens each stream anew that is slow or was given up. */
export function connectNow(): void {
  for (const again of [...impatient]) again();
}

export interface StreamListener {
  readonly event: (name: string, data: unknown) => void;
  readonly state: (state: StreamState) => void;
  /** After this event there is nothing more: the stream is not opened again. */
  readonly last?: string;
}

/** Follows a stream until the signal aborts, and goes on where it was after each break. Never rejects. */
export async function followEvents(
  url: string,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | null = null;
  let wait = FIRST_WAIT_MS;
  // Changes while somebody waits, which the type checker does not expect of a property.
  const stopped = (): boolean => signal.aborted;
  listener.state('connecting');
  while (!stopped()) {
    try {
      const outcome = await readOnce(url, lastId, signal, listener, (event) => {
        lastId = event.id ?? lastId;
        wait = FIRST_WAIT_MS;
      });
      if (outcome === 'ended') return listener.state('ended');
    } catch (error) {
      if (stopped()) return;
      if (error instanceof ProblemError && (await isFinal(error))) return listener.state('refused');
    }
    if (stopped()) return;
    listener.state('late');
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** A session that is over waits for the person; what else is refused stays refused. */
async function isFinal(error: ProblemError): Promise<boolean> {
  if (error.status === 401) return !(await session.renewed());
  return error.status >= 400 && error.status < 500 && error.status !== 429;
}

async function readOnce(
  url: string,
  lastId: string | null,
  signal: AbortSignal,
  listener: StreamListener,
  seen: (event: ServerEvent) => void,
): Promise<'broken' | 'ended'> {
  const silence = new AbortController();
  const giveUp = (): void => silence.abort();
  const timer = new QuietTimer(() => {
    listener.state('slow');
    impatient.add(giveUp);
  }, giveUp);
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || response.body === null) throw await problemIn(response);
    connection.answered();
    const reader = new EventReader();
    const decoder = new TextDecoder();
    const source = response.body.getReader();
    for (;;) {
      const { done, value } = await source.read();
      if (done) return 'broken';
      timer.again();
      impatient.delete(giveUp);
      listener.state('live');
      for (const heard of reader.read(decoder.decode(value, { stream: true }))) {
        if (heard.is === 'alive') continue;
        const { event } = heard;
        if (event.name === 'session-ended') {
          session.ended();
          continue;
        }
        seen(event);
        listener.event(event.name, JSON.parse(event.data) as unknown);
        if (event.name === listener.last) return 'ended';
      }
    }
  } catch (error) {
    // Nobody answered at all: the banner says so as well.
    if (error instanceof TypeError) connection.failed();
    throw error;
  } finally {
    timer.stop();
    impatient.delete(giveUp);
    silence.abort();
  }
}

/** Says that it has been quiet for a while, and then that it was so for too long. */
class QuietTimer {
  #timers: readonly ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly slow: () => void,
    private readonly over: () => void,
  ) {
    this.again();
  }

  again(): void {
    this.stop();
    this.#timers = [setTimeout(this.slow, SLOW_MS), setTimeout(this.over, QUIET_MS)];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      impatient.delete(over);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    impatient.add(over);
    signal.addEventListener('abort', over);
  });
}
