import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  ForwardingTaskQueue,
  type NewTask,
  type TaskJob,
  type TaskQueue,
  type TaskRecord,
  type TaskWork,
} from '@wrongstack/contracts';
import { type ActiveSpans, contextOf } from './active-spans.js';
import type { CallSpans } from './call-spans.js';

export const PROPAGATOR = new W3CTraceContextPropagator();
const SETTER = {
  set: (carrier: Record<string, string>, key: string, value: string) => void (carrier[key] = value),
};
const GETTER = {
  get: (carrier: Readonly<Record<string, string | undefined>>, key: string) => carrier[key],
  keys: (carrier: Readonly<Record<string, string | undefined>>) => Object.keys(carrier),
};

/** A queue whose tasks go on in the trace that they were handed over in, whichever process runs them. */
export class TracedQueue extends ForwardingTaskQueue {
  constructor(
    queue: TaskQueue,
    private readonly spans: ActiveSpans,
    private readonly calls: Pick<CallSpans, 'spanOf'>,
  ) {
    super(queue);
  }

  override async add(task: NewTask): Promise<TaskRecord> {
    const attributes = attributesOf(task.job);
    const parent = contextOf(this.calls.spanOf(task.job.call) ?? this.spans.current());
    const span = this.spans.start(`queue ${task.job.tool}`, attributes, { parent, kind: SpanKind.PRODUCER });
    try {
      return await this.queue.add({ ...task, job: { ...task.job, trace: carrierOf(span) } });
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  override start(work: TaskWork): void {
    this.queue.start(async (job, sink, signal) => {
      const parent = PROPAGATOR.extract(ROOT_CONTEXT, job.trace ?? {}, GETTER);
      const span = this.spans.start(`run ${job.tool}`, attributesOf(job), {
        parent,
        kind: SpanKind.CONSUMER,
      });
      try {
        const exit = await this.spans.within(span, () => work(job, sink, signal));
        span.setAttribute('wrongstack.task.state', exit.state);
        if (exit.state === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
        return exit;
      } finally {
        span.end();
      }
    });
  }
}

function carrierOf(span: Parameters<typeof contextOf>[0]): Readonly<Record<string, string>> {
  const carrier: Record<string, string> = {};
  PROPAGATOR.inject(contextOf(span), carrier, SETTER);
  return carrier;
}

function attributesOf({ id, tool }: TaskJob) {
  return { 'wrongstack.task': id, 'gen_ai.tool.name': tool };
}
