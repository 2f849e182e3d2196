import type { Disposer } from '@wrongstack/contracts';
import type { ControlPlane } from '../control/control-plane.js';
import type { ApiHost } from '../host/api-host.js';
import { FleetCounters } from './fleet-counters.js';

const POLICY_STATES = ['none', 'fresh', 'stale', 'expired', 'undetermined'] as const;

/** What is looked up when somebody scrapes: the audit log's totals, the machines and what they run, who waits for an approval, and what is not ready. */
export function collectControlMetrics(
  { metrics, readiness }: Pick<ApiHost, 'metrics' | 'readiness'>,
  { store, clock }: Pick<ControlPlane, 'store' | 'clock'>,
): Disposer {
  const fleet = new FleetCounters(store.audit, metrics);
  const disposers = [
    metrics.addCollector('fleet', () => fleet.refresh()),
    metrics.addCollector('approvals', async () => {
      const { pending } = await store.approvals.counts(new Date(clock.now()).toISOString());
      metrics.gauge('wrongstack_approvals_waiting', pending);
    }),
    metrics.addCollector('machines', async () => {
      const counts = await store.fleet.counts('policyState', {});
      const machines = new Map(counts.map(({ value, count }) => [value, count]));
      for (const state of POLICY_STATES)
        metrics.gauge('wrongstack_fleet_machines', machines.get(state) ?? 0, { state });
      metrics.gauge('wrongstack_fleet_audit_spool_bytes', await store.fleet.spooledBytes());
    }),
    metrics.addCollector('bundle', async () => {
      const { revision } = await store.bundleRevision.current();
      if (revision > 0) metrics.gauge('wrongstack_policy_bundle_revision', revision);
    }),
    metrics.addCollector('readiness', async () => {
      metrics.gauge('wrongstack_unready_checks', (await readiness.failing()).length);
    }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
