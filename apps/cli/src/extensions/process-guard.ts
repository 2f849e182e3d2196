import { messageOf } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';
import { isInterruptHandled } from '../app/on-interrupt.js';
import { EXIT } from '../exit-codes.js';
import { guardOutput } from './guard-output.js';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** What a plugin left running may hold the process for so long after everything was torn down. */
const LINGER_MS = 500;

/**
 * What a process owes to the plugins and servers in it: they are torn down on a signal, an error that a plugin let
 * escape is put down to it instead of ending everything, what one prints gets in the way of no result, and a timer that
 * it forgot does not keep the process alive.
 */
export function guardProcess(host: Host): () => void {
  // A plugin may replace it, and everything ends by it.
  const exit = process.exit.bind(process);
  let over = false;
  const onSignal = (): void => {
    // The command has a handler of its own, which ends in host.close() too.
    if (isInterruptHandled()) return;
    const leave = (): void => exit(EXIT.interrupted);
    host.close().then(leave, leave);
  };
  const onStray = (error: unknown): void => {
    const owners = host.extensions.plugins?.ownersOf(error) ?? [];
    if (owners.length > 0) {
      // All that is left then is a timer or a promise of theirs; the command has said what it had to say.
      if (!over) blame(host, owners, error);
      return;
    }
    // As without a listener.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`);
    exit(EXIT.failed);
  };
  const releaseOutput = guardOutput(host);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onStray);
  process.on('unhandledRejection', onStray);
  return () => {
    over = true;
    releaseOutput();
    for (const signal of SIGNALS) process.off(signal, onSignal);
    setTimeout(() => exit(), LINGER_MS).unref();
  };
}

function blame({ extensions, log }: Host, owners: readonly string[], error: unknown): void {
  const message = messageOf(error);
  const others = owners.length === 1 ? '' : ` (or it was another of ${owners.join(', ')}: it does not say)`;
  for (const owner of owners)
    extensions.plugins?.fault(owner, 'plugin.stray_error', new Error(`${message}${others}`));
  log.error(`plugin ${owners.join(' or ')}: ${message}`, { plugin: owners.join(',') });
}
