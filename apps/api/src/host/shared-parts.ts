import type {
  CredentialResolver,
  Logger,
  RateLimiter,
  Sandbox,
  SecretScrubber,
  TaskQueue,
} from '@wrongstack/contracts';
import type { PrometheusMetricsSink } from '@wrongstack/adapters/metrics';
import type { ServerTracing } from '@wrongstack/adapters/tracing';
import type { PolicyEngine } from '@wrongstack/policy';

/** What all kernels of this process share: the one of governed calls, and one for each run. */
export interface SharedParts {
  readonly policy: PolicyEngine;
  readonly scrubber: SecretScrubber;
  readonly sandbox: Sandbox;
  readonly rateLimiter: RateLimiter;
  /** For tools; `find` for the process itself. */
  readonly credentials: CredentialResolver & { find(name: string): Promise<string | undefined> };
  readonly tasks: TaskQueue;
  readonly log: Logger;
  readonly metrics: PrometheusMetricsSink;
  /** Null where nobody asked for spans. */
  readonly tracing: ServerTracing | null;
  /** What tools, and the programs that they start, see of this process's environment. */
  readonly toolEnvironment: Readonly<Record<string, string | undefined>>;
  readonly agentHome: string;
  readonly home: string;
}
