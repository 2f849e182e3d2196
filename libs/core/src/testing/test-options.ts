import { type ToolOptions, type ToolStreamEvent, WrongStackError } from '@wrongstack/contracts';

/** Options of a call, with the controller that aborts it. */
export function testOptions(
  overrides: Partial<ToolOptions> = {},
): ToolOptions & { readonly controller: AbortController } {
  const controller = new AbortController();
  return { signal: controller.signal, ...overrides, controller };
}

/**
 * All events of a stream and its final output. Throws `tool.stream` where the stream does not end with exactly one final
 * event, as the executor does.
 */
export async function collectStream<O>(
  stream: AsyncIterable<ToolStreamEvent<O>>,
): Promise<{ readonly events: readonly ToolStreamEvent<O>[]; readonly output: O }> {
  const events: ToolStreamEvent<O>[] = [];
  for await (const event of stream) events.push(event);
  const finals = events.filter((event) => event.type === 'final');
  const last = events.at(-1);
  if (finals.length !== 1 || last?.type !== 'final') {
    throw new WrongStackError(
      'tool.stream',
      `a stream must end with exactly one final event, this one had ${String(finals.length)}`,
    );
  }
  return { events, output: last.output };
}
