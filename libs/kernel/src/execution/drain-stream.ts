import { WrongStackError } from '@wrongstack/contracts';
import type { ToolProgressEvent, ToolStreamEvent } from '@wrongstack/contracts';

const PROGRESS_TYPES: ReadonlySet<string> = new Set([
  'log',
  'partial_output',
  'metric',
  'file_changed',
  'warning',
]);

/**
 * Publish every event but the last and return the output of `final`. Exactly one `final`, and nothing after it: a stream
 * that breaks this is an error that says so, since nobody could tell which output counts.
 */
export async function drainStream(
  stream: AsyncIterable<unknown>,
  publish: (event: ToolProgressEvent) => void,
  signal: AbortSignal,
): Promise<unknown> {
  let final: { readonly output: unknown } | null = null;
  for await (const event of stream) {
    // Whoever ignores its signal goes on talking to nobody.
    if (!isStreamEvent(event)) {
      throw broken(`yielded something that is no stream event (${kindOf(event)})`);
    }
    if (final !== null) {
      throw broken(
        event.type === 'final' ? 'yielded a second final event' : `yielded ${event.type} after final`,
      );
    }
    if (event.type === 'final') final = { output: event.output };
    else if (!signal.aborted) publish(event);
  }
  if (final === null) throw broken('ended without a final event');
  return final.output;
}

function isStreamEvent(event: unknown): event is ToolStreamEvent {
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') {
    return false;
  }
  return event.type === 'final' || PROGRESS_TYPES.has(event.type);
}

function broken(what: string): WrongStackError {
  return new WrongStackError(
    'tool.stream_broken',
    `the tool's stream ${what}; a stream must yield exactly one final event, last`,
  );
}

function kindOf(event: unknown): string {
  if (typeof event === 'object' && event !== null && 'type' in event)
    return `type ${String(event.type).slice(0, 40)}`;
  return typeof event;
}
