import type { Logger, SecretScrubber, TaskQueue } from '@wrongstack/contracts';
import type { Kernel } from '@wrongstack/kernel';

/** The kernel of this process and what its controllers need beside it. */
export abstract class ApiHost {
  abstract readonly kernel: Kernel;
  abstract readonly tasks: TaskQueue;
  abstract readonly log: Logger;
  abstract readonly scrubber: SecretScrubber;
  abstract readonly projectRoot: string;
  abstract readonly agentHome: string;
  /** `redis` or `local`, for the line that is printed at start. */
  abstract readonly driver: 'local' | 'redis';
  abstract close(graceMs: number): Promise<void>;
}
