/** One search as both engines understand it. */
export interface GrepQuery {
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** Lines around each match. */
  readonly context: number;
  /** Only files whose path matches: without a slash at any depth, a leading `!` excludes. */
  readonly glob: string | undefined;
  /** One match a file is enough. */
  readonly firstOnly: boolean;
}

export interface GrepLine {
  readonly number: number;
  readonly text: string;
  readonly match: boolean;
}

/** All that was found in one file, in order. */
export interface GrepFile {
  /** Relative to the root; the file's own name when the root is a file. */
  readonly path: string;
  readonly lines: readonly GrepLine[];
}

export interface GrepSink {
  /** Called once a file, in path order. `stop` = enough. */
  readonly onFile: (file: GrepFile) => 'more' | 'stop';
}

export type GrepEnd =
  | { readonly kind: 'complete'; readonly problems: string | undefined }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'bad-pattern'; readonly message: string }
  | { readonly kind: 'unavailable' };

/** Larger files are logs and data: searching them is for bash. */
export const MOST_FILE_BYTES = 50 * 1024 * 1024;
/** More lines than any limit of the tool: a file with a million matches must not fill the memory. */
export const MOST_LINES_PER_FILE = 20_000;
