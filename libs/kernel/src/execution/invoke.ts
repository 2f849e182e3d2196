import type { Context, RegisteredTool, ToolOptions, ToolProgressEvent } from '@wrongstack/contracts';
import type { Invocation } from './invocation.js';

export interface InvokeOptions {
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly options: Omit<ToolOptions, 'signal'>;
  readonly publish: (event: ToolProgressEvent) => void;
  /** Runs the stream to its single final event. */
  readonly drain: (
    stream: AsyncIterable<unknown>,
    publish: (event: ToolProgressEvent) => void,
    signal: AbortSignal,
  ) => Promise<unknown>;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Run the tool under a signal of its own: the run's, a time limit, and whoever stops this one call. After an abort the
 * tool gets a grace to wind down; a tool that ignores its signal is then left behind and the call ends without it.
 */
export async function invokeTool(
  tool: RegisteredTool,
  input: unknown,
  context: Context,
  { timeoutMs, graceMs, signal, options, publish, drain }: InvokeOptions,
): Promise<Invocation> {
  const controller = new AbortController();
  let why: 'timeout' | 'aborted' = 'aborted';
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(
    () => {
      if (controller.signal.aborted) return;
      why = 'timeout';
      controller.abort(new DOMException(`timed out after ${timeoutMs} ms`, 'TimeoutError'));
    },
    Math.min(timeoutMs, LONGEST_TIMER_MS),
  );
  const grace = new Grace(controller.signal, graceMs);
  try {
    const work = start(tool, input, context, { ...options, signal: controller.signal }, publish, drain);
    controller.signal.addEventListener('abort', () => cleanUp(tool, input, context), { once: true });
    if (controller.signal.aborted) cleanUp(tool, input, context);
    const settled = await Promise.race([work, grace.over]);
    if (!controller.signal.aborted) return settled ?? { kind: 'threw', error: new Error('no result') };
    const output = settled?.kind === 'returned' ? { value: settled.output } : null;
    return { kind: why, afterMs: timeoutMs, output, gaveUp: settled === null };
  } finally {
    clearTimeout(timer);
    grace.cancel();
    signal.removeEventListener('abort', onAbort);
  }
}

type Settled = Extract<Invocation, { kind: 'returned' | 'threw' }>;

/** Never rejects, so that a late failure of a tool that was left behind is nobody's unhandled rejection. */
async function start(
  tool: RegisteredTool,
  input: unknown,
  context: Context,
  options: ToolOptions,
  publish: InvokeOptions['publish'],
  drain: InvokeOptions['drain'],
): Promise<Settled> {
  try {
    if (tool.executeStream !== undefined) {
      const stream = tool.executeStream(input, context, options);
      return { kind: 'returned', output: await drain(stream, publish, options.signal) };
    }
    return { kind: 'returned', output: (await tool.execute(input, context, options)) as unknown };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

/** Best effort: an error here never hides why the call was aborted. */
function cleanUp(tool: RegisteredTool, input: unknown, context: Context): void {
  if (tool.cleanup === undefined) return;
  try {
    Promise.resolve(tool.cleanup(input, context)).catch(() => undefined);
  } catch {
    // swallowed, as the author guide promises
  }
}

/** Resolves with null when the grace after an abort has passed. */
class Grace {
  readonly over: Promise<null>;
  #timer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;
  #listener = (): void => undefined;

  constructor(signal: AbortSignal, graceMs: number) {
    this.#signal = signal;
    this.over = new Promise((resolve) => {
      this.#listener = () => {
        this.#timer = setTimeout(() => resolve(null), graceMs);
      };
      if (signal.aborted) this.#listener();
      else signal.addEventListener('abort', this.#listener, { once: true });
    });
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#listener);
  }
}
