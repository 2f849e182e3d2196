import type { ContentBlock } from './content.js';

export interface FileLocation {
  readonly path: string;
  readonly line?: number;
}

/** `oldText: null` = the file is new. */
export interface FileDiff {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
  /** 1-based line of the file at which `oldText` starts, where the texts are one hunk of it. */
  readonly oldStart?: number;
  /** The same for `newText` in the changed file. */
  readonly newStart?: number;
}

/** The pending card of a call. Neutral words: no editor protocol type appears here. */
export type ToolCallView =
  | {
      readonly card: 'generic';
      readonly title: string;
      readonly kind?:
        'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other';
      readonly rawInput?: unknown;
      readonly content?: readonly ContentBlock[];
      readonly locations?: readonly FileLocation[];
    }
  | {
      readonly card: 'terminal';
      readonly title: string;
      readonly description?: string;
      readonly cwd?: string;
    }
  | {
      readonly card: 'diff';
      readonly title: string;
      readonly diffs: readonly FileDiff[];
      readonly locations?: readonly FileLocation[];
    };

/** The completed card. `output` of a terminal card is raw; whoever shows it adds fences or colours. */
export type ToolResultView =
  | { readonly card: 'generic'; readonly title?: string; readonly content?: readonly ContentBlock[] }
  | {
      readonly card: 'terminal';
      readonly title?: string;
      readonly output?: string;
      /** Rows of `output`, counted from 0, that the program wrote to its standard error. */
      readonly stderr?: readonly number[];
      readonly exitCode?: number;
      readonly signal?: string;
    }
  | { readonly card: 'diff'; readonly title?: string; readonly diffs: readonly FileDiff[] };

/** What a result presenter sees: the model-facing content and the tool's own durable `meta`. */
export interface PresentableResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly meta?: unknown;
}
