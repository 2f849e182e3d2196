import { messageOf } from '@wrongstack/contracts';
import type { Host } from '../app/host.js';
import { EXIT } from '../exit-codes.js';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** What a plugin left running may hold the process for so long after everything was torn down. */
const LINGER_MS = 500;

/**
 * What a process owes to the plugins and servers in it: they are torn down on a signal, an error that a plugin let
 * escape is put down to it instead of ending everything, and a timer that it forgot does not keep the process alive.
 */
export function guardProcess(host: Host): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    // The command has a handler of its own, which ends in host.close() too.
    if (process.listenerCount(signal) > 1) return;
    const leave = (): void => process.exit(EXIT.interrupted);
    host.close().then(leave, leave);
  };
  const onStray = (error: unknown): void => {
    const owner = host.extensions.plugins?.ownerOf(error);
    if (owner !== undefined) {
      host.extensions.plugins?.fault(owner, 'plugin.stray_error', error);
      host.log.error(`plugin ${owner}: ${messageOf(error)}`, { plugin: owner });
      return;
    }
    // As without a listener.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(EXIT.failed);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onStray);
  process.on('unhandledRejection', onStray);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('uncaughtException', onStray);
    process.off('unhandledRejection', onStray);
    setTimeout(() => process.exit(), LINGER_MS).unref();
  };
}
