import type {
  AuditLog,
  Clock,
  Logger,
  Provider,
  Sandbox,
  SecretScrubber,
  SecretVault,
  SessionStore,
  TaskQueue,
} from '@wrongstack/contracts';
import type { ConfigStore, Kernel } from '@wrongstack/kernel';
import type { PolicyDocuments, PolicyEngine, TrustStores } from '@wrongstack/policy';
import type { LocalUsage } from '../budgets/local-usage.js';
import type { ExtensionSlot } from '../extensions/extension-slot.js';
import type { BootRequest } from './boot-request.js';
import type { PrometheusMetricsSink, StoredCredentials } from '@wrongstack/adapters';
import type { Centre } from './centre.js';
import type { SessionControl, SwitchableApprovals } from './session-control.js';

/** The wired application, as commands see it. */
export interface Host {
  readonly request: BootRequest;
  readonly config: ConfigStore;
  /** Keys that the repository's own configuration asked for and did not get. */
  readonly ignoredConfig: readonly string[];
  /** What lies in the folders of policies, looks like one and is none. */
  readonly unreadPolicies: () => Promise<readonly string[]>;
  readonly kernel: Kernel;
  readonly policy: PolicyEngine;
  readonly documents: PolicyDocuments;
  readonly trust: TrustStores;
  readonly sessions: SessionStore;
  /** Logs of subagents, each linked to the session that started it. */
  readonly subagentSessions: SessionStore;
  /** What the person used up, by the logs of this machine. */
  readonly localUsage: LocalUsage;
  readonly vault: SecretVault;
  readonly credentials: StoredCredentials;
  readonly scrubber: SecretScrubber;
  readonly audit: AuditLog;
  readonly sandbox: Sandbox;
  /** The control plane; null on a machine that belongs to none. */
  readonly centre: Centre | null;
  readonly control: SessionControl;
  readonly approvals: SwitchableApprovals;
  /** Tasks of this person, in whatever process they run. Closing the host ends those of this one. */
  readonly tasks: TaskQueue;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: PrometheusMetricsSink;
  /** Plugins and MCP servers. */
  readonly extensions: ExtensionSlot;
  /** The provider in force, with its key. */
  provider(): Promise<Provider>;
  close(): Promise<void>;
}
