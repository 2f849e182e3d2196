import type { Disposer, EventMap, EventName } from '@wrongstack/contracts';

/** The part of the event bus that the terminal listens to. */
export interface EventSource {
  onPattern(pattern: string, listener: (name: string, payload: unknown) => void): Disposer;
}

/** A built-in event with its name, so that a switch narrows the payload. */
export type TerminalEvent = {
  [Name in EventName]: { readonly name: Name; readonly payload: EventMap[Name] };
}[EventName];

const NAMES: ReadonlySet<string> = new Set<EventName>([
  'run.started',
  'run.finished',
  'message.delta',
  'message.completed',
  'tool.requested',
  'tool.decided',
  'approval.waiting',
  'approval.resolved',
  'tool.started',
  'tool.progress',
  'tool.executed',
  'tool.parked',
  'tool.loop_detected',
  'task.changed',
  'policy.changed',
  'model.retry',
  'context.compacted',
  'error',
]);

/** Listens to the built-in events that the terminal knows; custom ones and aliases are none of its business. */
export function listenToEvents(source: EventSource, listener: (event: TerminalEvent) => void): Disposer {
  return source.onPattern('*', (name, payload) => {
    // The bus types payloads by name; a wildcard listener gets them untyped, and the name gives the type back.
    if (NAMES.has(name)) listener({ name, payload } as TerminalEvent);
  });
}
