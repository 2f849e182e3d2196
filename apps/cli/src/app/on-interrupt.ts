let listening = 0;

/** Whether a command of ours will end on a signal by itself. A plugin's listeners do not count: it may never end anything. */
export function isInterruptHandled(): boolean {
  return listening > 0;
}

/**
 * Calls back on Ctrl-C, SIGTERM and SIGHUP; returns how to stop listening. The second signal ends the process at once, in
 * case the first one's clean-up hangs.
 */
export function onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void {
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let received = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (received) process.exit(130);
    received = true;
    listener(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  listening += 1;
  let stopped = false;
  return () => {
    if (!stopped) listening -= 1;
    stopped = true;
    for (const signal of signals) process.off(signal, onSignal);
  };
}
