import type { Disposer, PipelineErrorHandler, PipelineMiddleware } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { withinOwnTime } from '../hooks/own-time.js';
import { Patience } from '../hooks/patience.js';

/** What a handler may take for itself before, and again after, the rest of the chain. */
export const HANDLER_MS = 10_000;
const NEVER = new AbortController().signal;

/**
 * A chain of middleware around one kind of value. Without an error handler a throw bubbles up; with one (the host's
 * boundary) the handler that threw, or did not answer in time, is skipped and the value goes on as it was before it.
 */
export class Pipeline<T> {
  readonly name: string;
  #middleware: readonly PipelineMiddleware<T>[] = [];
  #onError: PipelineErrorHandler | undefined;
  readonly #handlerMs: number;
  readonly #patience = new Patience();
  readonly #fits: (value: unknown) => boolean;

  /** `handlerMs`: milliseconds. `fits`: whether a value is one that can go on; one that cannot is its handler's failure. */
  constructor(name = 'pipeline', handlerMs = HANDLER_MS, fits: (value: unknown) => boolean = () => true) {
    this.name = name;
    this.#handlerMs = handlerMs;
    this.#fits = fits;
  }

  use(middleware: PipelineMiddleware<T>): Disposer {
    // A new array each time: a run that is under way keeps the list that it started with.
    this.#middleware = [...this.#middleware, middleware];
    return once(() => {
      this.#middleware = this.#middleware.filter((one) => one !== middleware);
    });
  }

  setErrorHandler(handler: PipelineErrorHandler | undefined): void {
    this.#onError = handler;
  }

  /** Who takes part, in order; shown by `/diag`. */
  list(): readonly { readonly name: string; readonly owner: string }[] {
    return this.#middleware.map(({ name, owner }) => ({ name, owner: owner ?? 'core' }));
  }

  /** Send a value through. `terminal` is what stands at the end of the chain; by default the value itself. */
  async run(value: T, terminal: (value: T) => Promise<T> | T = (last) => last): Promise<T> {
    if (this.#middleware.length === 0) return terminal(value);
    return this.#step(this.#middleware, 0, value, terminal);
  }

  async #step(
    chain: readonly PipelineMiddleware<T>[],
    index: number,
    value: T,
    terminal: (value: T) => Promise<T> | T,
  ): Promise<T> {
    const middleware = chain[index];
    if (middleware === undefined) return terminal(value);
    if (this.#onError !== undefined && this.#patience.isOver(middleware, ''))
      return this.#step(chain, index + 1, value, terminal);
    // What came after this handler ran once already; a handler that throws after next() must not run it again.
    let after: { readonly result: Promise<T> } | undefined;
    let passedOver = false;
    const next = (passed: T): Promise<T> => {
      // The chain went on without it: a late call would run the rest, a tool call perhaps, a second time.
      if (passedOver)
        throw new WrongStackError(
          'pipeline.next_late',
          `${this.name}: ${middleware.name} called next() too late`,
        );
      if (after !== undefined) {
        throw new WrongStackError(
          'pipeline.next_twice',
          `${this.name}: ${middleware.name} called next() twice`,
        );
      }
      this.#require(passed, `${middleware.name} passed on`);
      after = { result: this.#step(chain, index + 1, passed, terminal) };
      return after.result;
    };
    try {
      const what = `${middleware.name} in pipeline ${this.name}`;
      const result = await withinOwnTime(what, this.#handlerMs, NEVER, (outside) =>
        middleware.handler(value, (passed) => outside(() => next(passed))),
      );
      this.#require(result, `${middleware.name} returned`);
      this.#patience.answered(middleware, '');
      return result;
    } catch (error) {
      passedOver = true;
      this.#patience.failed(middleware, '', error);
      const done = after;
      // An error of the rest of the chain is not this handler's fault: let it through unchanged.
      const downstream = done === undefined ? undefined : await settle(done.result);
      if (downstream?.failed === true) throw downstream.error;
      const where = { pipeline: this.name, name: middleware.name, owner: middleware.owner ?? 'core' };
      if (this.#onError === undefined || this.#onError(error, where) === 'throw') throw error;
      return downstream === undefined ? this.#step(chain, index + 1, value, terminal) : downstream.value;
    }
  }

  /** Throws `pipeline.value_invalid`. */
  #require(value: T, who: string): void {
    if (this.#fits(value)) return;
    throw new WrongStackError(
      'pipeline.value_invalid',
      `${this.name}: ${who} what is no value of this pipeline`,
      {
        hint: 'return next(value), or a value of the same kind',
      },
    );
  }
}

type Settled<T> =
  { readonly failed: false; readonly value: T } | { readonly failed: true; readonly error: unknown };

async function settle<T>(promise: Promise<T>): Promise<Settled<T>> {
  try {
    return { failed: false, value: await promise };
  } catch (error) {
    return { failed: true, error };
  }
}
