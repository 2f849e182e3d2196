import { type Attributes, context, type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import type { Disposer, EventMap, EventName, EventOrigin, Logger } from '@wrongstack/contracts';

/** What is heard of a kernel: its event bus. */
export interface EventSource {
  on<Name extends EventName>(name: Name, listener: (payload: EventMap[Name]) => void): Disposer;
}

interface RunSpans {
  readonly run: Span;
  model: string;
  iteration: Span | null;
  request: Span | null;
  readonly calls: Map<string, CallSpans>;
}

interface CallSpans {
  readonly call: Span;
  wait: Span | null;
}

/**
 * Spans of what a kernel announces: run → iteration → model request → tool call → decision → approval wait, under the names of the
 * conventions for generative AI where they have one. Attributes hold names, numbers and ids, never a prompt, an input or a result.
 */
export function recordSpans(events: EventSource, tracer: Tracer, log: Logger): Disposer {
  const runs = new Map<string, RunSpans>();
  const of = ({ run, agent }: EventOrigin): RunSpans | undefined => runs.get(`${run} ${agent}`);
  const child = (parent: Span, name: string, attributes: Attributes = {}, startTime?: number): Span =>
    tracer.startSpan(
      name,
      { attributes, ...(startTime === undefined ? {} : { startTime }) },
      trace.setSpan(context.active(), parent),
    );
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
  const endCall = (origin: EventOrigin, id: string, status: string, failed: boolean): void => {
    const spans = of(origin);
    const open = spans?.calls.get(id);
    if (spans === undefined || open === undefined) return;
    spans.calls.delete(id);
    open.wait?.end();
    open.call.setAttribute('wrongstack.tool.status', status);
    if (failed) open.call.setStatus({ code: SpanStatusCode.ERROR, message: status });
    open.call.end();
  };
  const disposers: Disposer[] = [
    events.on('run.started', (event) => {
      const { agent, model, session, run } = event;
      // Events of a subagent do not name the run that asked for it; where there is but one, it is that.
      const mains = [...runs].flatMap(([id, spans]) => (id.endsWith(' main') ? [spans] : []));
      const parent = agent !== 'main' && mains.length === 1 ? mains[0] : undefined;
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
      runs.set(`${run} ${agent}`, { run: span, model, iteration: null, request: null, calls: new Map() });
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
    events.on('tool.requested', (event) => {
      const spans = of(event);
      if (spans === undefined) return;
      const call = child(spans.iteration ?? spans.run, `execute_tool ${event.name}`, {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': event.name,
        'gen_ai.tool.call.id': event.call,
      });
      spans.calls.set(event.call, { call, wait: null });
    }),
    events.on('tool.decided', (event) => {
      const open = of(event)?.calls.get(event.call);
      if (open === undefined) return;
      const { decision } = event;
      const now = Date.now();
      const span = child(
        open.call,
        'decision',
        {
          'wrongstack.decision': decision.id,
          'wrongstack.verdict': decision.verdict,
          'wrongstack.decision.source': decision.by.kind,
          'wrongstack.policy.state': decision.policy.state,
        },
        now - decision.micros / 1000,
      );
      span.end(now);
      if (decision.verdict === 'confirm' || decision.verdict === 'approve')
        open.wait = child(open.call, 'approval wait', { 'wrongstack.verdict': decision.verdict });
    }),
    events.on('tool.started', (event) => {
      const open = of(event)?.calls.get(event.call);
      open?.wait?.end();
      if (open !== undefined) open.wait = null;
    }),
    events.on('tool.executed', (event) => endCall(event, event.call, event.status, event.isError)),
    events.on('tool.parked', (event) => endCall(event, event.call, 'parked', false)),
    events.on('run.finished', (event) => {
      const spans = of(event);
      if (spans === undefined) return;
      runs.delete(`${event.run} ${event.agent}`);
      endRequest(spans);
      for (const id of [...spans.calls.keys()]) {
        spans.calls.get(id)?.wait?.end();
        spans.calls.get(id)?.call.end();
      }
      spans.iteration?.end();
      spans.run.setAttribute('wrongstack.run.status', event.status);
      if (event.status === 'failed') spans.run.setStatus({ code: SpanStatusCode.ERROR });
      spans.run.end();
    }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
