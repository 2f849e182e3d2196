import { Script, createContext, type Context } from 'node:vm';
import { codeOf } from '@wrongstack/contracts';

let place: { readonly script: Script; readonly context: Context } | undefined;

/**
 * What synchronous `work` returns, or null when it took longer than `ms` and was interrupted. It runs in this realm; the
 * context is there only because a script in one can be stopped, which nothing else does to a regular expression.
 */
export function withinTime<T extends object>(work: () => T, ms: number): T | null {
  place ??= { script: new Script('work()'), context: createContext({ work: null }) };
  place.context['work'] = work;
  try {
    // The script is the one above: it returns what `work` does.
    return place.script.runInContext(place.context, { timeout: ms }) as T;
  } catch (error) {
    if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    place.context['work'] = null;
  }
}
