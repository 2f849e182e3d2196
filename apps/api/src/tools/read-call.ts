import type { TaskOptions } from '@wrongstack/contracts';
import { ApiProblem } from '../errors/api-problem.js';

const KNOWN: ReadonlySet<string> = new Set(['input', 'priority', 'delayMs']);
const LONGEST_DELAY_MS = 30 * 24 * 3_600_000;
const LONGEST_KEY = 200;

/** The body of a call. Unknown members are refused: a misspelt one would silently mean something else. */
export function readCall(
  body: unknown,
  key: string | undefined,
): { readonly input: unknown; readonly options: TaskOptions } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw bad('the body must be an object');
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    throw bad(`${JSON.stringify(unknown.slice(0, 40))} is unknown: send input, priority, delayMs`);
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY)) {
    throw bad(`Idempotency-Key must have 1 to ${LONGEST_KEY} characters`);
  }
  const priority = wholeNumber(body, 'priority', 100);
  const delayMs = wholeNumber(body, 'delayMs', LONGEST_DELAY_MS);
  return {
    input: 'input' in body ? body.input : {},
    options: {
      ...(priority === undefined ? {} : { priority }),
      ...(delayMs === undefined ? {} : { delayMs }),
      ...(key === undefined ? {} : { key }),
    },
  };
}

function wholeNumber(body: object, name: string, most: number): number | undefined {
  const value: unknown = Reflect.get(body, name);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw bad(`${name} must be a whole number from 0 to ${most}`);
}

function bad(message: string): ApiProblem {
  return new ApiProblem(400, 'request.invalid', message);
}
