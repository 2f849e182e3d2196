import type { SessionId, RunId } from './ids.js';
import type { Logger } from './logger.js';
import type { SessionEntry } from './session.js';
import type { Tool } from './tool.js';

/** What is known about a file that a tool wants to change. */
export type ReadState =
  /** It was read in this session and has not changed since (mtime in nanoseconds, and size). */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unread' }
  | { readonly kind: 'missing' };

/**
 * What a tool gets beside its input. All paths are absolute. Tests of simple tools may pass `{} as Context`.
 */
export interface Context {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly sessionId: SessionId;
  readonly runId: RunId;
  /** A private folder (0700) of this session; spilled output lands here, and reading it back never prompts. */
  readonly scratchDir: string;
  /** The agent's data folder (`~/.wrongstack`); tools write only their own files in it. */
  readonly dataDir: string;
  /** Free-form state shared by tools, slash commands and plugins of one session. */
  readonly meta: Record<string, unknown>;
  readonly log: Logger;
  readonly session: { append(entry: SessionEntry): Promise<void> };
  /**
   * A module's `apply(ctx)` registers its tools here. Inside a run it throws `tool.register_late`: the model has been told
   * by then which tools there are.
   */
  readonly tools: { register(tool: Tool): () => void };

  /** Tell the stale-write detector that this file was read. `mtimeMs` as `fs.stat` gave it. */
  recordRead(absPath: string, mtimeMs: number): void;
  hasRead(absPath: string): boolean;
  /** Milliseconds since the epoch, as recorded, or undefined when it was never read. */
  lastReadMtime(absPath: string): number | undefined;
  /** Compare the file on disk with what was read. */
  readState(absPath: string): Promise<ReadState>;
  /** Forget and take again: call after writing a file oneself, with its path. */
  recordWrite(absPath: string): Promise<void>;
  /** Run `work` while no other tool call of this process changes the same file. */
  withPathLock<T>(absPath: string, work: () => Promise<T>): Promise<T>;

  /** Runs when the agent run ends (not when this call aborts), in reverse order; a throw is logged. Returns its disposer. */
  registerAbortHook(hook: () => void | Promise<void>): () => void;
}
