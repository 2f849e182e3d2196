import type { CallId, EventMap, ToolProgressEvent } from '@wrongstack/contracts';
import type { CallScope, EventSink } from './call-scope.js';
import type { CallScrubber } from './call-scrubber.js';

const WINDOW_MS = 100;
/** Events a window; streamed text beyond it is joined, other events are dropped and counted. */
const MOST_PER_WINDOW = 10;
const LONGEST_TEXT = 16_384;
const MOST_TEXT = 4 * 1024 * 1024;

/**
 * Announces what a running tool reports, scrubbed and in bounded portions: a tool that prints a gigabyte must not drown
 * its listeners. The result is not affected by what is left out here.
 */
export class ProgressPublisher {
  readonly #emit: (payload: EventMap['tool.progress']) => void;
  readonly #stream: { push(chunk: string): string; end(): string };
  #waiting = '';
  #sent = 0;
  #inWindow = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(
    events: EventSink,
    private readonly scope: CallScope,
    private readonly call: CallId,
    private readonly name: string,
    private readonly scrubber: CallScrubber,
  ) {
    this.#emit = (payload) => events.emit('tool.progress', payload);
    this.#stream = scrubber.stream();
  }

  readonly publish = (event: ToolProgressEvent): void => {
    if (this.#closed) return;
    const open = this.#open();
    if (event.type === 'partial_output') {
      // Always through the stream: a secret may begin in one piece and end in the next.
      this.#waiting += this.#stream.push(textOf(event));
      if (!open) return;
      this.#flush();
      if (event.data !== undefined) this.#send(this.#scrubbed({ ...event, text: '' }));
      return;
    }
    if (!open) {
      this.#dropped += 1;
      return;
    }
    this.#flush();
    this.#send(this.#scrubbed(event));
  };

  /** Everything still held back goes out; later events of a tool that was left behind do not. */
  close(): void {
    if (this.#closed) return;
    this.#waiting += this.#stream.end();
    this.#flush();
    if (this.#dropped > 0)
      this.#send({ type: 'log', text: `${this.#dropped} progress events were left out` });
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #open(): boolean {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#inWindow = 0;
      if (!this.#closed) this.#flush();
    }, WINDOW_MS).unref();
    this.#inWindow += 1;
    return this.#inWindow <= MOST_PER_WINDOW;
  }

  #flush(): void {
    while (this.#waiting !== '') {
      const text = this.#waiting.slice(0, LONGEST_TEXT);
      this.#waiting = this.#waiting.slice(text.length);
      const room = this.#sent < MOST_TEXT;
      this.#sent += text.length;
      if (room) this.#send({ type: 'partial_output', text });
      else if (this.#sent - text.length < MOST_TEXT + LONGEST_TEXT) {
        this.#send({ type: 'warning', text: 'more output follows; it is not shown live' });
      }
    }
  }

  #scrubbed(event: ToolProgressEvent): ToolProgressEvent {
    const clean = this.scrubber.scrubValue(event);
    return clean.text === undefined ? clean : { ...clean, text: textOf(clean).slice(0, LONGEST_TEXT) };
  }

  #send(event: ToolProgressEvent): void {
    this.#emit({ ...this.scope.origin, call: this.call, name: this.name, event });
  }
}

/** Tools in plain JavaScript may yield anything; what is no text is not shown. */
function textOf(event: { readonly text?: unknown }): string {
  return typeof event.text === 'string' ? event.text : '';
}
