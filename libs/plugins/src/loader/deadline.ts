import { WrongStackError } from '@wrongstack/contracts';

/** The longest that a timer can wait; Node takes a longer one, and one that is no number, for a millisecond. */
const LONGEST_MS = 2 ** 31 - 1;

export const SETUP_MS = 30_000;
export const TEARDOWN_MS = 10_000;

/**
 * A deadline in milliseconds, or the default where none was given. Throws `plugin.invalid_deadline`, since a deadline of
 * NaN would end every setup before it began and name the plugins as the fault.
 */
export function deadlineOf(option: string, given: number | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (Number.isInteger(given) && given >= 1 && given <= LONGEST_MS) return given;
  throw new WrongStackError(
    'plugin.invalid_deadline',
    `${option} is ${String(given)}; give whole milliseconds from 1 to ${String(LONGEST_MS)}`,
  );
}
