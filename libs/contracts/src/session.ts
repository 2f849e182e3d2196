import type { AssistantBlock, ContentBlock } from './content.js';
import type { CallId, DecisionId, RunId, SessionId } from './ids.js';
import type { StopReason, Usage } from './provider.js';
import type { ToolCallStatus } from './tool.js';

/** Built-in entry types; a plugin's own are `plugin-name:event`. */
export type BuiltInSessionEntry =
  | {
      readonly type: 'session_start';
      readonly ts: string;
      readonly version: number;
      readonly session: SessionId;
      readonly projectRoot: string;
      readonly cwd: string;
      readonly branch?: string;
      readonly model: string;
      /** A subagent's session: who started it. */
      readonly parent?: SessionParent;
    }
  | { readonly type: 'run_start'; readonly ts: string; readonly run: RunId; readonly resumed: boolean }
  | { readonly type: 'user_input'; readonly ts: string; readonly content: readonly ContentBlock[] }
  | {
      readonly type: 'inject';
      readonly ts: string;
      readonly content: readonly ContentBlock[];
      readonly source: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'assistant_message';
      readonly ts: string;
      readonly content: readonly AssistantBlock[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly model: string;
      /** Calls whose input is stored with a secret masked: what is stored is not what was asked for. */
      readonly masked?: readonly CallId[];
    }
  | {
      readonly type: 'tool_use';
      readonly ts: string;
      readonly call: CallId;
      readonly name: string;
      readonly input: unknown;
      /** A secret in the input was masked, so what is stored here is not what was asked for: never run it. */
      readonly masked?: boolean;
      readonly decision?: DecisionId;
      /** The call of the tool that asked for this one: no model did, so no model gets its result. */
      readonly within?: CallId;
    }
  | { readonly type: 'tool_started'; readonly ts: string; readonly call: CallId }
  | {
      readonly type: 'tool_result';
      readonly ts: string;
      readonly call: CallId;
      readonly name: string;
      readonly status: ToolCallStatus | 'interrupted' | 'parked';
      readonly isError: boolean;
      readonly content: readonly ContentBlock[];
      readonly meta?: unknown;
      readonly durationMs: number;
      readonly spill?: string;
      readonly within?: CallId;
    }
  | {
      readonly type: 'subagent';
      readonly ts: string;
      readonly call: CallId;
      readonly name: string;
      /** Where its own entries are. */
      readonly session: SessionId;
      readonly state: 'started' | 'ended';
      readonly status?: string;
    }
  | {
      readonly type: 'decision';
      readonly ts: string;
      readonly call: CallId;
      readonly tool: string;
      readonly decision: DecisionId;
      readonly verdict: string;
      readonly by: Readonly<Record<string, unknown>>;
      readonly because: string;
    }
  | {
      readonly type: 'file_snapshot';
      readonly ts: string;
      readonly call: CallId;
      readonly path: string;
      /** Digest of the content before, null for a file that was not there; the content is kept in the scratch folder. */
      readonly before: string | null;
      /** Digest of the content after, `absent` when the call deleted the file. */
      readonly after: string;
    }
  | { readonly type: 'compaction'; readonly ts: string; readonly summary: string; readonly keptFrom: number }
  /** A request beside the conversation, for a summary: what it used up. */
  | { readonly type: 'aside'; readonly ts: string; readonly usage: Usage; readonly model: string }
  | { readonly type: 'mode'; readonly ts: string; readonly mode: string }
  | { readonly type: 'repair'; readonly ts: string; readonly what: string }
  | {
      readonly type: 'run_end';
      readonly ts: string;
      readonly run: RunId;
      readonly status: string;
      readonly usage: Usage;
    };

export interface SessionParent {
  readonly session: SessionId;
  readonly call: CallId;
  readonly name: string;
}

export interface CustomSessionEntry {
  readonly type: string;
  /** ISO 8601; required. */
  readonly ts: string;
  readonly [field: string]: unknown;
}

export type SessionEntry = BuiltInSessionEntry | CustomSessionEntry;

/** One open session's log: append-only JSONL, flushed before the next model request. */
export abstract class SessionLog {
  abstract readonly id: SessionId;
  /** Where it is, for messages; null when in memory. */
  abstract readonly file: string | null;
  /** Resolves when the line is written (order kept). */
  abstract append(entry: SessionEntry): Promise<void>;
  /** Resolves when everything appended is on disk. */
  abstract flush(): Promise<void>;
  /** All entries so far, in order; streams, so a 20 MB session stays cheap. */
  abstract entries(): AsyncIterable<SessionEntry>;
  abstract close(): Promise<void>;
}

export interface SessionSummary {
  readonly id: SessionId;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly projectRoot: string;
  readonly branch: string | null;
  readonly preview: string;
  readonly calls: number;
  readonly denials: number;
  readonly state: 'ended' | 'interrupted' | 'open';
}

/** Where sessions live. Opening one takes its lock: a second writer is refused, a dead writer's lock is recovered. */
export abstract class SessionStore {
  abstract create(start: {
    readonly projectRoot: string;
    readonly cwd: string;
    readonly model: string;
    readonly branch?: string;
    readonly parent?: SessionParent;
  }): Promise<SessionLog>;
  /** Repairs a torn last line. Throws `session.not_found`, `session.locked`, `session.corrupt`. `id` may be a unique prefix. */
  abstract open(id: string): Promise<SessionLog>;
  /** Newest first. Files that are no sessions of this version are left out and told of. */
  abstract list(filter?: {
    readonly projectRoot?: string;
    readonly onUnreadable?: (problem: unknown) => void;
  }): Promise<readonly SessionSummary[]>;
  /** Read without a lock. */
  abstract read(id: string): AsyncIterable<SessionEntry>;
}
