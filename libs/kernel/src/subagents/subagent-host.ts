import type { SessionLog, SessionParent } from '@wrongstack/contracts';

/** Where subagents live, as the application decides. */
export interface SubagentHost {
  /** A log of its own for one subagent's conversation, linked to who started it, and a private folder (0700). */
  open(start: {
    readonly parent: SessionParent;
    readonly cwd: string;
    readonly projectRoot: string;
    readonly model: string;
  }): Promise<{ readonly log: SessionLog; readonly scratchDir: string }>;
  /** How many levels of subagents the policy's locks allow; asked for each start. */
  maxDepth(): Promise<number>;
}
