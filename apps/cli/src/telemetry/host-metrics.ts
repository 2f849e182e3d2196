import type { PrometheusMetricsSink } from '@wrongstack/adapters';
import type { Disposer } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';

const MCP_STATES = ['ready', 'starting', 'reconnecting', 'failed', 'stopped'] as const;
const PLUGIN_STATES = ['loaded', 'failed', 'disabled', 'unloaded'] as const;
const POLICY_STATES = ['none', 'fresh', 'stale', 'expired', 'undetermined'] as const;

/**
 * Gauges of a process that runs for long, looked up when somebody scrapes. An editor's process has a host for each folder: what there is of
 * servers and plugins is the sum over them, and the enrolment is one and the same.
 */
export class HostMetrics {
  readonly #hosts = new Set<Host>();

  constructor(private readonly metrics: PrometheusMetricsSink) {
    metrics.addCollector('mcp', () => this.#servers());
    metrics.addCollector('plugins', () => this.#plugins());
    metrics.addCollector('plugin_health', () => this.#health());
    metrics.addCollector('policy', () => this.#policy());
    metrics.addCollector('audit', () => this.#spool());
  }

  add(host: Host): Disposer {
    this.#hosts.add(host);
    return () => void this.#hosts.delete(host);
  }

  #servers(): void {
    const states = this.#all(({ extensions }) => extensions.mcp?.list() ?? []).map(({ state }) => state);
    this.#count('wrongstack_mcp_servers', MCP_STATES, states);
  }

  #plugins(): void {
    const states = this.#all(({ extensions }) => extensions.plugins?.list() ?? []).map(({ state }) => state);
    this.#count('wrongstack_plugins', PLUGIN_STATES, states);
  }

  async #health(): Promise<void> {
    const asked = this.#all(({ extensions }) => (extensions.plugins ? [extensions.plugins.health()] : []));
    const unwell = (await Promise.all(asked)).flat().filter(({ ok }) => !ok).length;
    this.metrics.gauge('wrongstack_plugins_unhealthy', unwell);
  }

  async #policy(): Promise<void> {
    for (const { centre, policy, request } of this.#hosts) {
      const { staleGraceHours } = await policy.locks(request.projectRoot);
      const report = await centre?.report(staleGraceHours);
      const state = report?.state ?? 'none';
      for (const known of POLICY_STATES)
        this.metrics.gauge('wrongstack_policy_state', known === state ? 1 : 0, { state: known });
      const revision = centre?.policy.bundle?.revision;
      if (revision !== undefined) this.metrics.gauge('wrongstack_policy_bundle_revision', revision);
      const age = report?.ageSeconds ?? null;
      if (age !== null) this.metrics.gauge('wrongstack_policy_bundle_age_seconds', age);
      return;
    }
  }

  async #spool(): Promise<void> {
    for (const { centre, clock } of this.#hosts) {
      if (centre === null) continue;
      const { bytes, oldest } = await centre.spooled();
      this.metrics.gauge('wrongstack_audit_spool_bytes', bytes);
      const age = oldest === null ? 0 : Math.max(0, clock.now() - Date.parse(oldest)) / 1000;
      this.metrics.gauge('wrongstack_audit_spool_age_seconds', age);
      return;
    }
  }

  #all<Item>(of: (host: Host) => readonly Item[]): readonly Item[] {
    return [...this.#hosts].flatMap(of);
  }

  #count(name: string, known: readonly string[], states: readonly string[]): void {
    for (const state of known) {
      this.metrics.gauge(name, states.filter((one) => one === state).length, { state });
    }
  }
}
