import { AssertionError } from 'node:assert';
import { codeOf } from '@wrongstack/contracts';

/** One requirement that every adapter of a port meets. Throws where it is not met; any test runner can run it. */
export interface ConformanceCase<Harness> {
  readonly name: string;
  run(harness: Harness): Promise<void>;
}

/** Fails unless the work rejects with an error of this code. */
export async function rejectsWithCode(work: Promise<unknown>, code: string): Promise<void> {
  let outcome: string;
  try {
    await work;
    outcome = 'nothing';
  } catch (thrown) {
    outcome = codeOf(thrown);
  }
  if (outcome !== code) throw new AssertionError({ message: `expected ${code}, got ${outcome}` });
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
