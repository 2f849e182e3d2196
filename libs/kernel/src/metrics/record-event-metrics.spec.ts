import { type EventMap, newId } from '@wrongstack/contracts';
import { EventBus } from '../events/event-bus.js';
import { TestKernel } from '../testing/test-kernel.js';
import { InMemoryMetricsSink } from './in-memory-metrics-sink.js';
import { recordEventMetrics } from './record-event-metrics.js';

const ORIGIN = { session: newId('SessionId'), run: newId('RunId'), agent: 'main' };

function recorded() {
  const events = new EventBus();
  const metrics = new InMemoryMetricsSink();
  let now = 0;
  const dispose = recordEventMetrics(events, metrics, { now: () => now });
  const value = (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
    metrics
      .samples()
      .find((sample) => sample.name === name && JSON.stringify(sample.labels) === JSON.stringify(labels))
      ?.value;
  return { events, metrics, value, dispose, wait: (ms: number) => void (now += ms) };
}

function task(state: string): EventMap['task.changed'] {
  return { task: 't-1', call: newId('CallId'), state, exitCode: null };
}

describe('recordEventMetrics', () => {
  it('times how long a task waited and ran, and knows what is open', () => {
    const { events, value, wait } = recorded();
    events.emit('task.changed', task('queued'));
    expect(value('wrongstack_tasks', { state: 'queued' })).toBe(1);
    wait(2_000);
    events.emit('task.changed', task('running'));
    // Announced again, as queues may do.
    events.emit('task.changed', task('running'));
    wait(5_000);
    events.emit('task.changed', task('lost'));
    expect(value('wrongstack_task_queue_seconds')).toBe(2);
    expect(value('wrongstack_task_run_seconds', { state: 'lost' })).toBe(5);
    expect(value('wrongstack_task_transitions_total', { state: 'running' })).toBe(1);
    expect(value('wrongstack_task_transitions_total', { state: 'lost' })).toBe(1);
    expect(value('wrongstack_tasks', { state: 'running' })).toBe(0);
  });

  it('times approvals, and counts runs of people, not those of subagents', () => {
    const { events, value, wait } = recorded();
    const approval = newId('ApprovalId');
    const call = { ...ORIGIN, call: newId('CallId'), name: 'bash', approval };
    events.emit('approval.waiting', { ...call, need: 1, have: 0, expiresAt: null });
    wait(60_000);
    events.emit('approval.resolved', { ...call, outcome: 'approved', by: ['ada'] });
    expect(value('wrongstack_approval_wait_seconds', { outcome: 'approved' })).toBe(60);
    for (const agent of ['main', 'explorer'])
      events.emit('run.started', { ...ORIGIN, agent, model: 'm', resumed: false, tools: [], mode: 'ask' });
    expect(value('wrongstack_sessions_total')).toBe(1);
    expect(value('wrongstack_runs_active')).toBe(1);
  });

  it('says which of its states the policy is in', () => {
    const { events, value } = recorded();
    events.emit('policy.changed', { state: 'stale', revision: 7, ageSeconds: 90 });
    expect(value('wrongstack_policy_state', { state: 'stale' })).toBe(1);
    expect(value('wrongstack_policy_state', { state: 'fresh' })).toBe(0);
    expect(value('wrongstack_policy_bundle_revision')).toBe(7);
    expect(value('wrongstack_policy_bundle_age_seconds')).toBe(90);
  });

  it('hears nothing more once it is taken back', () => {
    const { events, dispose } = recorded();
    dispose();
    expect(events.listenerCount).toBe(0);
  });

  it('counts each decision of a kernel with labels that are never text of a caller', async () => {
    const test = new TestKernel();
    test.tool({ name: 'peek', capabilities: ['made.up-by-an-author'] });
    await test.call({ type: 'tool_use', id: newId('CallId'), name: 'peek', input: {} });
    const decided = test.metrics.samples().find(({ name }) => name === 'wrongstack_decisions_total');
    expect(Object.keys(decided?.labels ?? {})).toEqual(['verdict', 'source', 'tier', 'capability', 'state']);
    expect(decided?.labels).toMatchObject({ verdict: 'allow', tier: 'none' });
    expect(['unknown', 'fs.read']).toContain(decided?.labels['capability']);
    expect(test.metrics.samples().find(({ name }) => name === 'wrongstack_decision_seconds')?.count).toBe(1);
    test.dispose();
  });
});
