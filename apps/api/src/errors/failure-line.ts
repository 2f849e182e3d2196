import { messageOf, WrongStackError } from '@wrongstack/contracts';

/** Why a process could not start, and what to do: one line, whatever bytes a path in it may hold. */
export function failureLine(error: unknown): string {
  const hint = error instanceof WrongStackError && error.hint !== undefined ? ` · ${error.hint}` : '';
  return JSON.stringify(messageOf(error) + hint)
    .slice(1, -1)
    .replaceAll('\\"', '"');
}
