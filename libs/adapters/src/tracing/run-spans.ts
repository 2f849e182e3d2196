import { type Attributes, type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Disposer, EventOrigin, Logger } from '@wrongstack/contracts';
import { contextOf } from './active-spans.js';
import { CallSpans, type EventSource } from './call-spans.js';

interface RunSpans {
  readonly run: Span;
  model: string;
  iteration: Span | null;
  request: Span | null;
}

export interface RecordedSpans {
  /** The trace of the run that is under way; null where there is none, or more than one. */
  traceId(): string | null;
  dispose(): void;
}

/**
 * Spans of what a kernel announces: run → iteration → model request → tool call → decision → approval wait, under the names of the
 * conventions for generative AI where they have one. Attributes hold names, numbers and ids, never a prompt, an input or a result.
 */
export function recordSpans(events: EventSource, tracer: Tracer, log: Logger): RecordedSpans {
  const runs = new Map<string, RunSpans>();
  const of = ({ run, agent }: EventOrigin): RunSpans | undefined => runs.get(`${run} ${agent}`);
  const mains = (): RunSpans[] => [...runs].flatMap(([id, spans]) => (id.endsWith(' main') ? [spans] : []));
  const child = (parent: Span, name: string, attributes: Attributes = {}): Span =>
    tracer.startSpan(name, { attributes }, contextOf(parent));
  const calls = new CallSpans(tracer, (origin) => {
    const spans = of(origin);
    return spans === undefined ? null : (spans.iteration ?? spans.run);
  });
  const endRequest = (spans: RunSpans): void => {
    spans.request?.end();
    spans.request = null;
  };
  const nextRequest = (spans: RunSpans): void => {
    endRequest(spans);
    spans.request = child(spans.iteration ?? spans.run, `chat ${spans.model}`, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': spans.model,
    });
  };
  const disposers: Disposer[] = [
    events.on('run.started', (event) => {
      const { agent, model, session, run } = event;
      // Events of a subagent do not name the run that asked for it; where there is but one, it is that.
      const [only, ...others] = mains();
      const parent = agent !== 'main' && others.length === 0 ? only : undefined;
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.request.model': model,
        'gen_ai.conversation.id': session,
        'wrongstack.run': run,
      };
      const name = `invoke_agent ${agent}`;
      const span =
        parent === undefined ? tracer.startSpan(name, { attributes }) : child(parent.run, name, attributes);
      runs.set(`${run} ${agent}`, { run: span, model, iteration: null, request: null });
      // The one line by which somebody who has a log finds the trace, and the other way round.
      log.info('trace', { session, run, agent, trace_id: span.spanContext().traceId });
    }),
    events.on('iteration.started', (event) => {
      const spans = of(event);
      if (spans === undefined) return;
      endRequest(spans);
      spans.iteration?.end();
      spans.iteration = child(spans.run, 'iteration', { 'wrongstack.iteration': event.index });
      nextRequest(spans);
    }),
    events.on('model.retry', (event) => {
      const { attempt, status, waitMs } = event;
      of(event)?.request?.addEvent('retry', { attempt, waitMs, ...(status === null ? {} : { status }) });
    }),
    events.on('message.completed', (event) => {
      const spans = of(event);
      if (spans === undefined) return;
      const { usage, stopReason } = event;
      spans.request?.setAttributes({
        'gen_ai.usage.input_tokens': usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
        'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens,
        'gen_ai.response.finish_reasons': [stopReason],
      });
      endRequest(spans);
    }),
    ...calls.listen(events),
    events.on('run.finished', (event) => {
      const spans = of(event);
      if (spans === undefined) return;
      runs.delete(`${event.run} ${event.agent}`);
      endRequest(spans);
      calls.endAll(({ run, agent }) => run === event.run && agent === event.agent);
      spans.iteration?.end();
      spans.run.setAttribute('wrongstack.run.status', event.status);
      if (event.status === 'failed') spans.run.setStatus({ code: SpanStatusCode.ERROR });
      spans.run.end();
    }),
  ];
  return {
    traceId: () => {
      const [only, ...others] = mains();
      return only === undefined || others.length > 0 ? null : only.run.spanContext().traceId;
    },
    dispose: () => {
      for (const dispose of disposers) dispose();
    },
  };
}
