import { failureLine } from '../errors/failure-line.js';
import { blamePlugins } from './server-plugins.js';

/**
 * An error that a plugin let escape is put down to it, and everybody else's work goes on. Any other is a fault of ours: the
 * process ends, since nobody knows what state it is in, and whoever started it starts it again.
 */
export function guardProcess(program: string): void {
  // A plugin may replace it, and everything ends by it.
  const exit = process.exit.bind(process);
  const onStray = (error: unknown): void => {
    if (blamePlugins(error)) return;
    process.stderr.write(
      `wrongstack ${program}: ended by a fault of its own: ${failureLine(error)}${where(error)}\n`,
    );
    exit(1);
  };
  process.on('uncaughtException', onStray);
  process.on('unhandledRejection', onStray);
}

/** The nearest place in its stack, on the same line. */
function where(error: unknown): string {
  const place = error instanceof Error ? /^\s+(at .+)$/m.exec(error.stack ?? '')?.[1] : undefined;
  return place === undefined ? '' : ` (${place})`;
}
