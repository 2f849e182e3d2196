import type { RunStatus } from '@wrongstack/contracts';

export const EXIT = { done: 0, failed: 1, usage: 2, stoppedByPolicy: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a finished run means to the shell. */
export function exitCodeOf(status: RunStatus): ExitCode {
  switch (status) {
    case 'completed':
      return EXIT.done;
    case 'failed':
    case 'limit':
      return EXIT.failed;
    case 'stopped_by_policy':
      return EXIT.stoppedByPolicy;
    case 'interrupted':
      return EXIT.interrupted;
  }
}
