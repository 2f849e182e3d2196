import type { Decision, DecisionSource, Disposer, EventMap, EventName } from '@wrongstack/contracts';

/** The part of the event bus that those listen to who show a run. */
export interface EventSource {
  onPattern(pattern: string, listener: (name: string, payload: unknown) => void): Disposer;
}

/** A built-in event with its name, so that a switch narrows the payload. */
export type RunEvent = {
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

/** Listens to the built-in events that tell of a run; custom ones and aliases are none of their business. */
export function listenToEvents(source: EventSource, listener: (event: RunEvent) => void): Disposer {
  return source.onPattern('*', (name, payload) => {
    // The bus types payloads by name; a wildcard listener gets them untyped, and the name gives the type back.
    if (NAMES.has(name)) listener({ name, payload } as RunEvent);
  });
}

/** What `run.started` says beside the event itself. */
export interface StartFacts {
  readonly version: string;
  readonly cwd: string;
  readonly policy: { readonly id: string | null; readonly revision: number | null; readonly state: string };
}

/**
 * The fields of one line of stream-json, without the envelope; null = an event that the stream does not carry. Those who follow a run on
 * a server read the same.
 */
export function streamFieldsOf(event: RunEvent, start: StartFacts): Record<string, unknown> | null {
  switch (event.name) {
    case 'run.started': {
      const { model, mode, tools, resumed } = event.payload;
      return { version: start.version, cwd: start.cwd, model, mode, tools, resumed, policy: start.policy };
    }
    case 'message.delta': {
      const { message, text, thinking } = event.payload;
      return thinking ? null : { message, text };
    }
    case 'message.completed': {
      const { message, text, stopReason, usage } = event.payload;
      return { message, text, stopReason, usage };
    }
    case 'tool.requested': {
      const { call, name, input } = event.payload;
      return { call, tool: name, input };
    }
    case 'tool.decided':
      return { call: event.payload.call, ...decisionFields(event.payload.decision) };
    case 'approval.waiting': {
      const { call, approval, need, have, expiresAt } = event.payload;
      return { call, approval, need, have, expiresAt };
    }
    case 'approval.resolved': {
      const { call, approval, outcome, by } = event.payload;
      return { call, approval, outcome, by };
    }
    case 'tool.started':
      return { call: event.payload.call };
    case 'tool.progress': {
      const { type, text, data } = event.payload.event;
      return {
        call: event.payload.call,
        event: { type, ...(text === undefined ? {} : { text }), ...(data === undefined ? {} : { data }) },
      };
    }
    case 'tool.executed': {
      const { call, status, isError, durationMs, result, truncated, spill, exitCode, files } = event.payload;
      return {
        call,
        status,
        isError,
        durationMs,
        output: result.content,
        truncated,
        ...(spill === null ? {} : { spill }),
        ...(exitCode === null ? {} : { exitCode }),
        files,
      };
    }
    case 'task.changed': {
      const { task, call, state, exitCode } = event.payload;
      return { task, call, state, ...(exitCode === null ? {} : { exitCode }) };
    }
    case 'policy.changed': {
      const { state, revision, ageSeconds } = event.payload;
      return { state, revision, ageSeconds };
    }
    case 'model.retry': {
      const { attempt, of, waitMs, status } = event.payload;
      return { attempt, of, waitMs, status };
    }
    case 'error': {
      const { code, message, hint, fatal } = event.payload;
      return { code, message, hint, fatal };
    }
    default:
      return null;
  }
}

function decisionFields(decision: Decision): Record<string, unknown> {
  const standing = decision.floors.filter((floor) => floor.loweredBy === null);
  const grants = decision.floors.flatMap((floor) =>
    floor.loweredBy === null ? [] : [{ ...sourceFields(floor.loweredBy), lowers: floor.source.id }],
  );
  return {
    decision: decision.id,
    verdict: decision.verdict,
    by: sourceFields(decision.by),
    floors: standing.map(({ kind, verdict, source, reason }) => ({
      kind,
      verdict,
      source: sourceFields(source),
      reason,
    })),
    grants,
    because: decision.because,
    instead: decision.instead,
    micros: decision.micros,
  };
}

/** `by.kind` on the wire has six values: a trust entry is the user's, a hook speaks for the plugin that acts. */
function sourceFields(source: DecisionSource): Record<string, unknown> {
  const kinds = {
    rule: 'rule',
    floor: 'floor',
    tool: 'tool',
    actor: 'actor',
    state: 'state',
    user: 'user',
    hook: 'actor',
    trust: 'user',
  } as const;
  return {
    kind: kinds[source.kind],
    id: source.id,
    tier: source.tier ?? null,
    document: source.document ?? null,
    revision: source.revision ?? null,
  };
}
