import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isoNow, type Clock, type JsonValue, type RunId } from '@wrongstack/contracts';
import type { RunStore, ServerRunEvent } from '@wrongstack/contracts/control';
import { boundedData } from './bounded-data.js';

export interface EventLimits {
  /** Of one run; what comes after it is left out, and at the end it is said how many there were. */
  readonly events: number;
  readonly bytes: number;
  /** That wait for the store, which may be away. */
  readonly waiting: number;
}

const LIMITS: EventLimits = { events: 20_000, bytes: 8 * 1024 * 1024, waiting: 4_000 };
const FLUSH_MS = 200;
const RETRY_MS = 1_000;
const ROWS = 500;

type Draft = Pick<ServerRunEvent, 'at' | 'type' | 'data'>;

/**
 * The events of one attempt on their way to the store: in order, a few at a time, bounded. Pieces of one message that wait together are
 * written as one. Events announce; what a run did stands in its session and in the audit log.
 */
export class RunEventWriter {
  #waiting: Draft[] = [];
  #seq: number;
  #bytes = 0;
  #lost = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #closed = false;
  /** The first so many are on their way already, and stay as they are. */
  #inFlight = 0;

  constructor(
    private readonly runs: Pick<RunStore, 'appendEvents' | 'events'>,
    private readonly run: RunId,
    lastEvent: number,
    private readonly clock: Clock,
    /** Somebody else has written: the run is not ours any more. */
    private readonly onTaken: () => void,
    private readonly limits: EventLimits = LIMITS,
  ) {
    this.#seq = lastEvent;
  }

  push(type: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#closed || this.#joined(type, fields)) return;
    const data = boundedData(fields);
    this.#bytes += JSON.stringify(data).length;
    const { events, bytes, waiting } = this.limits;
    const over = this.#seq + this.#waiting.length >= events || this.#bytes > bytes;
    if (over || this.#waiting.length >= waiting) this.#lost += 1;
    else this.#add(type, data);
  }

  /** Nothing more is taken; resolves when the rest is written, or can never be. */
  async close(signal: AbortSignal): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#lost > 0) this.#add('events.lost', { count: this.#lost });
    while (this.#waiting.length > 0 && !signal.aborted) await (this.#writing ?? this.#flush(signal));
    await this.#writing;
  }

  #add(type: string, data: JsonValue): void {
    this.#waiting.push({ at: isoNow(this.clock), type, data });
    if (this.#writing === null)
      this.#timer ??= setTimeout(() => void this.#flush(new AbortController().signal), FLUSH_MS);
  }

  /** Text that a model sends word by word. */
  #joined(type: string, { message, text }: Readonly<Record<string, unknown>>): boolean {
    const last = this.#waiting.length > this.#inFlight ? this.#waiting.at(-1) : undefined;
    if (type !== 'message.delta' || last?.type !== type || typeof text !== 'string') return false;
    // An event of this very type that was pushed above.
    const data = last.data as { readonly message?: unknown; readonly text?: unknown };
    if (data.message !== message || typeof data.text !== 'string' || data.text.length > 4_000) return false;
    this.#bytes += text.length;
    this.#waiting[this.#waiting.length - 1] = {
      ...last,
      data: boundedData({ ...data, text: data.text + text }),
    };
    return true;
  }

  #flush(signal: AbortSignal): Promise<void> {
    this.#timer = null;
    this.#writing ??= this.#writeAll(signal).finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeAll(signal: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0) {
      const drafts = this.#waiting.slice(0, ROWS);
      this.#inFlight = drafts.length;
      const events = drafts.map((draft, index) => ({ ...draft, seq: this.#seq + 1 + index }));
      try {
        if (!(await this.runs.appendEvents(this.run, events)) && !(await this.#wereOurs(events))) {
          this.#closed = true;
          this.#waiting = [];
          return this.onTaken();
        }
        this.#seq += events.length;
        this.#waiting.splice(0, events.length);
        this.#inFlight = 0;
      } catch (error) {
        if (signal.aborted) return;
        // The store is away, or busy: they wait, up to a number.
        if (!codeOf(error).startsWith('store.')) throw error;
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** The answer to a write may have been lost, and not the write. */
  async #wereOurs(events: readonly ServerRunEvent[]): Promise<boolean> {
    const [first] = events;
    if (first === undefined) return true;
    const found = await this.runs.events(this.run, first.seq - 1, events.length);
    return JSON.stringify(found) === JSON.stringify(events);
  }
}
