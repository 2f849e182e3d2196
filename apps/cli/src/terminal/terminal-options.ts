import type { ApprovalAnswer, ApprovalRequest, Clock, Disposer } from '@wrongstack/contracts';
import type { CallViews } from './call-views.js';
import type { TerminalCaps } from './caps.js';
import type { EventSource } from './event-source.js';
import type { RawInput } from './key-source.js';
import type { LineInput } from './line-source.js';
import type { Scheduler } from './scheduler.js';
import type { TextOutput } from './screen.js';
import type { Submission } from './submissions.js';
import type { BannerFacts, SessionStatus } from './status-lines.js';

/** The streams of the terminal, handed in by the app. */
export interface TerminalIo {
  readonly input: RawInput & LineInput;
  readonly output: TextOutput;
  /** Calls back with the new size; returns how to stop. */
  onResize(listener: (size: { readonly columns: number; readonly rows: number }) => void): Disposer;
}

export interface CommandName {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
}

/** Everything an interactive session needs from the app. */
export interface StartTerminalOptions {
  readonly io: TerminalIo;
  readonly caps: TerminalCaps;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly home: string | null;
  readonly views: CallViews;
  readonly events: EventSource;
  readonly banner: BannerFacts | null;
  readonly status: () => SessionStatus;
  readonly commands: () => readonly CommandName[];
  /** Paths for the `@` menu, relative to the working folder. */
  readonly findFiles?: (prefix: string) => Promise<readonly string[]>;
  readonly history?: readonly string[];
  readonly onHistory?: (text: string) => void;
  /** Works on one message, or on what a resumed session left open; resolves when the run has ended. */
  readonly onSubmit: (text: Submission) => Promise<void>;
  /** A slash command, split at blanks. */
  readonly onCommand: (name: string, args: readonly string[], line: string) => Promise<void>;
  /** Esc or Ctrl-C while something runs. */
  readonly onInterrupt: () => void;
  /** Shift-Tab: default ↔ plan. */
  readonly onToggleMode: () => void;
  /** Ctrl-B; absent = nothing can be moved to the background. */
  readonly onBackground?: () => void;
  readonly canBackground?: (tool: string, input: unknown) => boolean;
  /** Ctrl-G: the text as edited, or null when it was left alone. The terminal is released meanwhile. */
  readonly editExternally?: (text: string) => Promise<string | null>;
  /** Tasks that quitting would stop. */
  readonly runningTasks?: () => number;
  /** The person wants to leave; the app closes the session and ends. */
  readonly onQuit: () => void;
  readonly askOthers?: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;
}
