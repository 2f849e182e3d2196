import type { Logger, SecretScrubber, TaskQueue } from '@wrongstack/contracts';
import type { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import type { ServerTracing } from '@wrongstack/adapters/tracing';
import type { RunQueue } from '@wrongstack/contracts/control';
import type { Kernel } from '@wrongstack/kernel';
import type { ServerAudit } from '../audit/server-audit.js';
import type { CentralDocuments } from '../decisions/central-documents.js';
import type { RunSettings } from '../environment.js';
import type { Readiness } from '../health/readiness.js';
import type { SharedParts } from './shared-parts.js';
import type { QueueView } from '../queues/look-into-queues.js';
import type { Standing } from './standing-owners.js';

/** The kernel of this process and what its controllers need beside it. */
export abstract class ApiHost {
  abstract readonly kernel: Kernel;
  /** What kernels of this process share. */
  abstract readonly shared: SharedParts;
  abstract readonly projectRoot: string;
  /** What the control plane publishes binds the calls of this host too. */
  abstract readonly central: CentralDocuments;
  /** Where its decisions are written; the organisation's chain is attached to it. */
  abstract readonly audit: ServerAudit;
  /** What `/readyz` asks. */
  abstract readonly readiness: Readiness;
  /** `redis` or `local`, for the line that is printed at start. */
  abstract readonly driver: 'local' | 'redis';
  /** Where runs are offered to those who execute them. */
  abstract readonly runQueue: RunQueue;
  abstract readonly runs: RunSettings;
  /** What an admin sees of the queues. */
  abstract readonly queues: QueueView;

  get tasks(): TaskQueue {
    return this.shared.tasks;
  }

  get log(): Logger {
    return this.shared.log;
  }

  get metrics(): PrometheusMetricsSink {
    return this.shared.metrics;
  }

  get tracing(): ServerTracing | null {
    return this.shared.tracing;
  }

  get scrubber(): SecretScrubber {
    return this.shared.scrubber;
  }

  get agentHome(): string {
    return this.shared.agentHome;
  }

  /**
   * Tasks run from now on, where this process runs any. After `central` was attached: what a process finds queued at its start is
   * decided again under what is in force.
   */
  abstract startTasks(standing: Standing): void;
  abstract close(graceMs: number): Promise<void>;
}
