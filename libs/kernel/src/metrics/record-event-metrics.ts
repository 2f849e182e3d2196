import {
  type Clock,
  type Disposer,
  isFinalState,
  type MetricsSink,
  TASK_STATES,
  type TaskState,
} from '@wrongstack/contracts';
import type { EventBus } from '../events/event-bus.js';
import { recordDecisionMetrics } from './record-decision-metrics.js';
import { changeGauge } from './shared-gauge.js';

/** Of a run alone, of a user or team, or a limit that cannot be looked at. */
const BUDGET_CODE =
  /^(?:agent\.|budget\.(?<scope>user|team)_)(?<limit>cost|tokens|tool_calls)(?<near>_near)?$|^budget\.(?:no_price|unknown)$/;

/** What is timed from one event to another; beyond it the oldest is forgotten, and not timed. */
const MOST_OPEN = 10_000;

/** Counts what the kernel announces. Nothing in the kernel waits for it or knows of it. */
export function recordEventMetrics(events: EventBus, metrics: MetricsSink, clock: Clock): Disposer {
  const approvals = new OpenSince(clock);
  const disposers: Disposer[] = [
    events.on('tool.decided', ({ decision }) => recordDecisionMetrics(metrics, decision)),
    events.on('tool.loop_detected', () => metrics.counter('wrongstack_tool_loops_total')),
    events.on('tool.parked', () => metrics.counter('wrongstack_calls_parked_total')),
    events.on('approval.waiting', ({ call }) => {
      // Announced again with each yes that came in, then under the server's id.
      if (approvals.start(call)) changeGauge(metrics, 'wrongstack_approvals_waiting', 1);
    }),
    events.on('approval.resolved', ({ call, outcome }) => {
      metrics.counter('wrongstack_approvals_total', 1, { outcome });
      const seconds = approvals.end(call);
      if (seconds === null) return;
      metrics.histogram('wrongstack_approval_wait_seconds', seconds, { outcome });
      changeGauge(metrics, 'wrongstack_approvals_waiting', -1);
    }),
    events.on('model.retry', ({ status }) =>
      metrics.counter('wrongstack_model_retries_total', 1, {
        status: status === null ? 'network' : String(status),
      }),
    ),
    events.on('context.compacted', () => metrics.counter('wrongstack_compactions_total')),
    events.on('policy.changed', ({ state, revision, ageSeconds }) => {
      for (const known of ['none', 'fresh', 'stale', 'expired', 'undetermined'])
        metrics.gauge('wrongstack_policy_state', known === state ? 1 : 0, { state: known });
      if (revision !== null) metrics.gauge('wrongstack_policy_bundle_revision', revision);
      if (ageSeconds !== null) metrics.gauge('wrongstack_policy_bundle_age_seconds', ageSeconds);
    }),
    events.on('error', ({ code }) => {
      const found = BUDGET_CODE.exec(code)?.groups;
      if (found === undefined) return;
      const { scope = 'run', limit = code.replace('budget.', ''), near } = found;
      metrics.counter(`wrongstack_budget_${near === undefined ? 'stops' : 'warnings'}_total`, 1, {
        scope,
        limit,
      });
    }),
    ...recordRuns(events, metrics),
    recordTasks(events, metrics, clock),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}

function recordRuns(events: EventBus, metrics: MetricsSink): Disposer[] {
  return [
    events.on('run.started', ({ agent, resumed }) => {
      if (agent !== 'main') return;
      if (!resumed) metrics.counter('wrongstack_sessions_total');
      changeGauge(metrics, 'wrongstack_runs_active', 1);
    }),
    events.on('run.finished', ({ agent, status, durationMs }) => {
      if (agent !== 'main') return;
      changeGauge(metrics, 'wrongstack_runs_active', -1);
      metrics.counter('wrongstack_runs_total', 1, { status });
      metrics.histogram('wrongstack_run_seconds', durationMs / 1000, { status });
    }),
  ];
}

function recordTasks(events: EventBus, metrics: MetricsSink, clock: Clock): Disposer {
  const queued = new OpenSince(clock);
  const running = new OpenSince(clock);
  const states = new Map<string, TaskState>();
  const count = (state: TaskState, by: number): void =>
    changeGauge(metrics, 'wrongstack_tasks', by, { state });
  return events.on('task.changed', ({ task, state: name }) => {
    const state = TASK_STATES.find((known) => known === name);
    if (state === undefined || states.get(task) === state) return;
    metrics.counter('wrongstack_task_transitions_total', 1, { state });
    if (state === 'queued') queued.start(task);
    if (state === 'running') {
      const waited = queued.end(task);
      if (waited !== null) metrics.histogram('wrongstack_task_queue_seconds', waited);
      running.start(task);
    }
    const before = states.get(task);
    if (before !== undefined) count(before, -1);
    if (isFinalState(state)) {
      queued.end(task);
      const ran = running.end(task);
      if (ran !== null) metrics.histogram('wrongstack_task_run_seconds', ran, { state });
      states.delete(task);
    } else if (states.size < MOST_OPEN || before !== undefined) {
      states.set(task, state);
      count(state, 1);
    }
  });
}

/** When things began that have not ended. */
class OpenSince {
  readonly #since = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** False where it began before. */
  start(id: string): boolean {
    const isNew = !this.#since.has(id);
    if (isNew && this.#since.size >= MOST_OPEN) {
      const [oldest = id] = this.#since.keys();
      this.#since.delete(oldest);
    }
    if (isNew) this.#since.set(id, this.clock.now());
    return isNew;
  }

  /** Seconds since its start; null where that is not known. */
  end(id: string): number | null {
    const since = this.#since.get(id);
    this.#since.delete(id);
    return since === undefined ? null : Math.max(0, this.clock.now() - since) / 1000;
  }
}
