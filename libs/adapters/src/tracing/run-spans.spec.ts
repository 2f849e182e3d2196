import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import {
  type Decision,
  type Disposer,
  type EventMap,
  type EventName,
  type Logger,
  newId,
  NO_USAGE,
  silentLogger,
} from '@wrongstack/contracts';
import { recordSpans } from './run-spans.js';

class Events {
  readonly #listeners = new Map<string, (payload: never) => void>();

  on<Name extends EventName>(name: Name, listener: (payload: EventMap[Name]) => void): Disposer {
    this.#listeners.set(name, listener);
    return () => void this.#listeners.delete(name);
  }

  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    // The map is keyed by name, so the listener fits the payload.
    (this.#listeners.get(name) as ((payload: EventMap[Name]) => void) | undefined)?.(payload);
  }
}

const ORIGIN = { session: newId('SessionId'), run: newId('RunId'), agent: 'main' };
const call = newId('CallId');
// What the spans look at; the rest of a decision is not theirs.
const DECISION = {
  ...{ id: newId('DecisionId'), verdict: 'confirm', by: { kind: 'tool', id: 'bash' }, micros: 900 },
  policy: { id: null, revision: null, state: 'none' },
} as unknown as Decision;

function played() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const events = new Events();
  const lines: unknown[] = [];
  const log: Logger = { ...silentLogger, info: (_message, fields) => void lines.push(fields) };
  const recorded = recordSpans(events, provider.getTracer('test'), log);
  expect(recorded.traceId()).toBeNull();
  events.emit('run.started', { ...ORIGIN, model: 'small', resumed: false, tools: [], mode: 'ask' });
  const underWay = recorded.traceId();
  events.emit('iteration.started', { ...ORIGIN, index: 0 });
  events.emit('message.completed', {
    ...ORIGIN,
    ...{ message: 'm-1', text: 'a secret text', stopReason: 'tool_use' },
    usage: { ...NO_USAGE, inputTokens: 10, cacheReadTokens: 5, outputTokens: 3 },
  });
  events.emit('tool.requested', { ...ORIGIN, call, name: 'bash', input: { command: 'cat secret' } });
  events.emit('tool.decided', { ...ORIGIN, call, name: 'bash', decision: DECISION });
  events.emit('tool.started', { ...ORIGIN, call, name: 'bash', estimatedDurationMs: null });
  events.emit('tool.executed', {
    ...{ ...ORIGIN, call, name: 'bash', input: {}, status: 'failed', isError: true, durationMs: 5 },
    ...{ result: { content: [], isError: true }, truncated: false, spill: null, exitCode: 1, files: [] },
  });
  events.emit('run.finished', { ...ORIGIN, status: 'completed', turns: 1, usage: NO_USAGE, durationMs: 9 });
  return { spans: exporter.getFinishedSpans(), lines, traceIds: [underWay, recorded.traceId()] };
}

describe('spans of a run', () => {
  it('lie in one another as what they stand for: run, iteration, model request, tool call, decision, approval wait', () => {
    const { spans, traceIds } = played();
    const named = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    const nesting = spans.map(({ name, parentSpanContext }) => [
      name,
      named.get(parentSpanContext?.spanId ?? '') ?? null,
    ]);
    expect(Object.fromEntries(nesting)).toEqual({
      'invoke_agent main': null,
      iteration: 'invoke_agent main',
      'chat small': 'iteration',
      'execute_tool bash': 'iteration',
      decision: 'execute_tool bash',
      'approval wait': 'execute_tool bash',
    });
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(traceIds).toEqual([spans[0]?.spanContext().traceId, null]);
  });

  it('are named and described by the conventions for generative AI', () => {
    const { spans } = played();
    const attributes = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(attributes('invoke_agent main')).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': ORIGIN.session,
    });
    expect(attributes('chat small')).toMatchObject({
      'gen_ai.request.model': 'small',
      'gen_ai.usage.input_tokens': 15,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.response.finish_reasons': ['tool_use'],
    });
    expect(attributes('execute_tool bash')).toMatchObject({
      'gen_ai.tool.call.id': call,
      'wrongstack.tool.status': 'failed',
    });
  });

  it('hold no prompt, no input and no result, and the log names the trace', () => {
    const { spans, lines } = played();
    expect(
      JSON.stringify(spans.map(({ name, attributes, events }) => [name, attributes, events])),
    ).not.toContain('secret');
    expect(lines).toEqual([
      { session: ORIGIN.session, run: ORIGIN.run, agent: 'main', trace_id: spans[0]?.spanContext().traceId },
    ]);
  });
});
