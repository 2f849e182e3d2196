import { AsyncLocalStorage } from 'node:async_hooks';
import {
  canonicalJson,
  type InnerCallOutcome,
  type RegisteredTool,
  type Tool,
  type ToolOptions,
  type ToolStreamEvent,
  WrongStackError,
} from '@wrongstack/contracts';

/** What a wrapper was called with. The outermost one's input is the one that was decided. */
interface Entered {
  readonly input: unknown;
  readonly call: string | undefined;
}

export type Rerun = (input: unknown) => Promise<InnerCallOutcome>;

/** Only wrapped tools ever enter it, since a store that is in use slows down every promise. */
const entered = new AsyncLocalStorage<Entered>();
const reruns = new Map<string, Rerun>();

/** While a call runs: how to have it decided with another input. Returns how to end that. */
export function offerRerun(call: string, rerun: Rerun): () => void {
  reruns.set(call, rerun);
  return () => void reruns.delete(call);
}

/** The tool as its wrapper gets it: run with another input than was decided, it becomes a call of its own, decided anew. */
export function originalForWrapper(original: RegisteredTool): RegisteredTool {
  const { execute, executeStream } = original;
  return Object.freeze({
    ...original,
    execute: async (input: unknown, ctx, options: ToolOptions): Promise<unknown> =>
      isDecided(input) ? execute(input, ctx, options) : again(original.name, input),
    ...(executeStream && {
      async *executeStream(input: unknown, ctx, options: ToolOptions): AsyncIterable<ToolStreamEvent> {
        if (isDecided(input)) yield* executeStream(input, ctx, options);
        else yield { type: 'final', output: await again(original.name, input) };
      },
    }),
  } satisfies RegisteredTool);
}

/**
 * What a wrapper made, ready to be registered. `original` is what it was given: methods that it took over from there are
 * the tool's own again, and an `execute` that it replaced is the one that runs, also where the tool could stream.
 */
export function wrapperLayer(tool: RegisteredTool, original: RegisteredTool, wrapped: Tool): Tool {
  const ownExecute = wrapped.execute !== original.execute;
  const ownStream = wrapped.executeStream !== original.executeStream;
  const own = ownExecute ? undefined : tool.executeStream;
  const stream = ownStream ? wrapped.executeStream?.bind(wrapped) : own;
  const execute = wrapped.execute.bind(wrapped);
  const layer: Tool = { ...wrapped, execute: tool.execute };
  if (ownExecute) {
    layer.execute = (input: unknown, ctx, options) =>
      entered.run(enter(input, options), () => execute(input, ctx, options));
  }
  delete layer.executeStream;
  if (stream !== undefined) {
    layer.executeStream = ownStream
      ? (input: unknown, ctx, options) => within(enter(input, options), () => stream(input, ctx, options))
      : stream;
  }
  return layer;
}

function enter(input: unknown, options: ToolOptions): Entered {
  return { input, call: options.callId };
}

/** A generator runs in pieces, and each of them has to know where it is. */
async function* within(
  store: Entered,
  start: () => AsyncIterable<ToolStreamEvent>,
): AsyncGenerator<ToolStreamEvent> {
  const events = entered.run(store, () => start()[Symbol.asyncIterator]());
  try {
    for (;;) {
      const step = await entered.run(store, () => events.next());
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    await entered.run(store, () => events.return?.());
  }
}

/** Outside of any call nothing was decided, and nothing that a model asked for runs: a test of the wrapper, say. */
function isDecided(input: unknown): boolean {
  const store = entered.getStore();
  return store === undefined || canonicalJson(store.input) === canonicalJson(input);
}

async function again(name: string, input: unknown): Promise<unknown> {
  const rerun = reruns.get(entered.getStore()?.call ?? '');
  if (rerun === undefined) {
    throw new WrongStackError(
      'tool.input_changed',
      `a wrapper of ${name} changed the input after it was decided; nothing ran`,
    );
  }
  const { status, result } = await rerun(input);
  if (status === 'ok') return { content: result.content, meta: result.meta, isError: result.isError };
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  throw new WrongStackError('tool.input_changed', `the changed input of ${name} was decided anew: ${text}`);
}
