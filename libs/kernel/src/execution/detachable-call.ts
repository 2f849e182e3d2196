import type { TaskSink, ToolProgressEvent } from '@wrongstack/contracts';
import { progressText } from '../tasks/progress-text.js';
import type { CallScrubber } from './call-scrubber.js';

const MOST_KEPT = 256 * 1024;

/**
 * A running call that may be sent to the background: until then the run can stop it and its progress is shown; from then on
 * the task queue can, and what it prints, from its beginning, is the task's output.
 */
export class DetachableCall {
  readonly #controller = new AbortController();
  readonly #stream: { push(chunk: string): string; end(): string };
  readonly #forward: () => void;
  readonly asked: Promise<void>;
  #ask = (): void => undefined;
  #kept = '';
  #sink: TaskSink | null = null;

  constructor(
    private readonly run: AbortSignal,
    scrubber: CallScrubber,
  ) {
    this.#stream = scrubber.stream();
    this.asked = new Promise((resolve) => (this.#ask = resolve));
    this.#forward = () => this.#controller.abort(run.reason);
    run.addEventListener('abort', this.#forward, { once: true });
    if (run.aborted) this.#forward();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A person wants it in the background. */
  ask(): void {
    this.#ask();
  }

  /** True once the task has it: nobody is shown its progress any more. */
  take(event: ToolProgressEvent): boolean {
    const text = this.#stream.push(progressText(event));
    if (this.#sink !== null) this.#sink.write(text);
    // The end of it is worth more than the beginning.
    else this.#kept = (this.#kept + text).slice(-MOST_KEPT);
    return this.#sink !== null;
  }

  adopt(sink: TaskSink, signal: AbortSignal): void {
    this.release();
    sink.write(this.#kept);
    this.#sink = sink;
    const stop = (): void => this.#controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  }

  /** The run has no say any more. */
  release(): void {
    this.run.removeEventListener('abort', this.#forward);
  }

  end(): void {
    const text = this.#stream.end();
    this.#sink?.write(text);
    this.release();
  }
}
