import { messageOf } from '@wrongstack/contracts';
import { readStdin } from '../read-stdin.js';
import { usageError } from '../report-error.js';

/** The JSON of an argument; `-` reads stdin. Throws `usage.invalid` and says what is wrong with it. */
export async function readJsonInput(argument: string): Promise<unknown> {
  const source = argument === '-' ? await readStdin() : argument;
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    throw usageError(`input is not JSON: ${messageOf(error)}`, `quote it whole: '{"path":"README.md"}'`);
  }
}
