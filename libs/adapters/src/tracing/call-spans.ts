import { type Attributes, type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Decision, Disposer, EventMap, EventName, EventOrigin } from '@wrongstack/contracts';
import { contextOf } from './active-spans.js';

/** What is heard of a kernel: its event bus. */
export interface EventSource {
  on<Name extends EventName>(name: Name, listener: (payload: EventMap[Name]) => void): Disposer;
}

interface OpenCall {
  readonly call: Span;
  readonly origin: EventOrigin;
  wait: Span | null;
}

/** Calls that never end are forgotten, and never sent. */
const MOST_OPEN = 10_000;

/**
 * Spans of calls: tool call → decision → approval wait, under the names of the conventions for generative AI. Attributes hold names,
 * numbers and ids, never an input or a result.
 */
export class CallSpans {
  readonly #open = new Map<string, OpenCall>();

  constructor(
    private readonly tracer: Tracer,
    /** Undefined = a trace of its own; null = none. */
    private readonly parentOf: (origin: EventOrigin) => Span | undefined | null,
  ) {}

  listen(events: EventSource): Disposer[] {
    return [
      events.on('tool.requested', (event) => this.#begin(event)),
      events.on('tool.decided', (event) => this.#decided(event)),
      events.on('tool.started', ({ call }) => this.#waitEnds(call)),
      events.on('tool.executed', ({ call, status, isError }) => this.#end(call, status, isError)),
      events.on('tool.parked', ({ call }) => this.#end(call, 'parked', false)),
    ];
  }

  /** Of a call that is under way. */
  spanOf(call: string): Span | undefined {
    return this.#open.get(call)?.call;
  }

  /** A run that ended has no open calls. */
  endAll(of: (origin: EventOrigin) => boolean): void {
    for (const [call, { origin }] of this.#open) if (of(origin)) this.#end(call, 'aborted', false);
  }

  #begin(event: EventMap['tool.requested']): void {
    const parent = this.parentOf(event);
    if (parent === null) return;
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': event.name,
      'gen_ai.tool.call.id': event.call,
    };
    const span = this.tracer.startSpan(`execute_tool ${event.name}`, { attributes }, contextOf(parent));
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(event.call, { call: span, origin: event, wait: null });
  }

  #decided({ call, decision }: EventMap['tool.decided']): void {
    const open = this.#open.get(call);
    if (open === undefined) return;
    decisionSpan(this.tracer, open.call, decision);
    const { verdict } = decision;
    if (verdict !== 'confirm' && verdict !== 'approve') return;
    open.wait = this.tracer.startSpan(
      'approval wait',
      { attributes: { 'wrongstack.verdict': verdict } },
      contextOf(open.call),
    );
  }

  #waitEnds(call: string): void {
    const open = this.#open.get(call);
    open?.wait?.end();
    if (open !== undefined) open.wait = null;
  }

  #end(id: string, status: string, failed: boolean): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.wait?.end();
    open.call.setAttribute('wrongstack.tool.status', status);
    if (failed) open.call.setStatus({ code: SpanStatusCode.ERROR, message: status });
    open.call.end();
  }
}

/** Of a decision that was just made, as long as it took. */
export function decisionSpan(tracer: Tracer, parent: Span | undefined, decision: Decision): void {
  const attributes: Attributes = {
    'wrongstack.decision': decision.id,
    'wrongstack.verdict': decision.verdict,
    'wrongstack.decision.source': decision.by.kind,
    'wrongstack.policy.state': decision.policy.state,
  };
  const now = Date.now();
  const startTime = now - decision.micros / 1000;
  tracer.startSpan('decision', { attributes, startTime }, contextOf(parent)).end(now);
}
