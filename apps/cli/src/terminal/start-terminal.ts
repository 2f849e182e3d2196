import type { StartTerminalOptions } from './terminal-options.js';
import { TerminalSession } from './terminal-session.js';

/** Starts the interactive session. The app asks `approvals` into the kernel and calls `close()` when it ends. */
export function startTerminal(options: StartTerminalOptions): TerminalSession {
  const session = new TerminalSession(options);
  session.start();
  return session;
}
