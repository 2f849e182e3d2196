import type { Disposer } from '@wrongstack/contracts';
import type { ControlPlane } from '../control/control-plane.js';
import type { ApiHost } from '../host/api-host.js';
import { FleetCounters } from './fleet-counters.js';

/** What is looked up when somebody scrapes: the audit log's totals, who waits for an approval, and what is not ready. */
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
    metrics.addCollector('readiness', async () => {
      metrics.gauge('wrongstack_unready_checks', (await readiness.failing()).length);
    }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
  };
}
