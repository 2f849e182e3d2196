import type { ApprovalChannel } from '@wrongstack/contracts';
import type { TerminalCaps } from '../terminal/caps.js';
import { systemScheduler } from '../terminal/scheduler.js';
import { NO_POLICY } from '../terminal/status-lines.js';
import { startTerminal } from '../terminal/start-terminal.js';
import type { TerminalSession } from '../terminal/terminal-session.js';
import { viewsOfHost } from '../actions/run-output.js';
import type { Host } from './host.js';
import { LocatedDiffs } from './located-diffs.js';
import { terminalIo } from './terminal-io.js';

/**
 * A terminal for commands that run calls but hold no conversation: it shows what happens and asks where the policy says so.
 * What is typed besides answers goes nowhere.
 */
export function questionTerminal(
  host: Host,
  caps: TerminalCaps,
  onInterrupt: () => void,
): { readonly terminal: TerminalSession; readonly approvals: ApprovalChannel; close(): void } {
  const terminal = startTerminal({
    io: terminalIo(),
    caps,
    clock: host.clock,
    scheduler: systemScheduler,
    home: host.request.environment.home,
    views: viewsOfHost(host),
    events: host.kernel.events,
    banner: null,
    status: () => ({
      mode: host.control.mode,
      yolo: host.control.yolo,
      policy: NO_POLICY,
      model: '',
      context: null,
      costUsd: null,
    }),
    commands: () => [],
    onSubmit: async () => undefined,
    onCommand: async () => undefined,
    onInterrupt,
    onToggleMode: () => undefined,
    onQuit: onInterrupt,
  });
  host.approvals.use(new LocatedDiffs(terminal.approvals));
  return { terminal, approvals: terminal.approvals, close: () => terminal.close() };
}
