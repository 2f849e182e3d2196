import { session } from '../session/session.js';
import { connection } from './connection.js';
import { ProblemError, problemIn } from './problem.js';
import { EventReader, type ServerEvent } from './read-events.js';

/** The API gives a sign of life every 15 s: after two that did not come, nobody knows how old the page is. */
const QUIET_MS = 40_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** `live`: what is shown is how it is. `late`: it may not be. `ended`: the stream said so itself. `refused`: not for this person. */
export type StreamState = 'connecting' | 'live' | 'late' | 'ended' | 'refused';

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
  const timer = new QuietTimer(() => silence.abort());
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
    silence.abort();
  }
}

class QuietTimer {
  #timer: ReturnType<typeof setTimeout>;

  constructor(private readonly over: () => void) {
    this.#timer = setTimeout(over, QUIET_MS);
  }

  again(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.over, QUIET_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
