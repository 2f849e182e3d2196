import { isDeepStrictEqual } from 'node:util';
import { deepFreeze, type PresentableResult, type Tool, WrongStackError } from '@wrongstack/contracts';
import { whileWatched } from './watched-globals.js';

/** Arguments of a call, and the results that its cards are to be shown for. */
export interface PresenterSample {
  readonly args: unknown;
  readonly results?: readonly PresentableResult[];
}

type Presenters = Pick<Tool, 'name' | 'presentCall' | 'presentResult'>;

/**
 * Throws `presenter.impure` where a card does not depend on the call and its result alone: each presenter runs on a
 * fresh copy and again on a frozen one that went through JSON, as a replayed session does, while clock, randomness,
 * working folder and network are watched. Cards must be the same both times, plain JSON, and there at once.
 * What it cannot see: files that are read synchronously.
 */
export function assertPurePresenters(tool: Presenters, samples: readonly PresenterSample[]): void {
  if (samples.length === 0) throw impure(tool, 'a presenter', 'was given no samples');
  for (const { args, results = [] } of samples) {
    assertPure(tool, 'presentCall', tool.presentCall?.bind(tool), [args]);
    for (const result of results) {
      assertPure(tool, 'presentResult', tool.presentResult?.bind(tool), [args, result]);
    }
  }
}

function assertPure(
  tool: Presenters,
  method: string,
  present: ((...inputs: never) => unknown) | undefined,
  inputs: readonly unknown[],
): void {
  if (present === undefined) return;
  const run = (given: unknown): unknown => {
    // The inputs are copies of what the presenter's own type asks for.
    const { value, asked } = whileWatched(() => present(...(given as never)));
    const [first] = asked;
    if (first !== undefined) throw impure(tool, method, `asks for ${first}`);
    return value;
  };
  const fresh = replayed(inputs);
  const live = run(fresh);
  if (isPromise(live)) throw impure(tool, method, 'returns a promise, so it waits for something');
  if (!isDeepStrictEqual(fresh, replayed(inputs))) throw impure(tool, method, 'changes what it was given');
  if (live !== undefined && !isDeepStrictEqual(live, replayed(live)))
    throw impure(tool, method, 'gives a card that is not plain JSON');
  const again = run(deepFreeze(replayed(inputs)));
  if (!isDeepStrictEqual(live, again)) throw impure(tool, method, 'gives another card when it is replayed');
}

function replayed<T>(value: T): T {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? value : (JSON.parse(text) as T);
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function impure(tool: Presenters, method: string, what: string): WrongStackError {
  return new WrongStackError('presenter.impure', `tool ${tool.name}: ${method} ${what}`, {
    hint: 'take everything from the arguments and the result, and what else it needs from meta',
  });
}
