export type GrepMode = 'content' | 'files' | 'count';

/** One search as both engines understand it. */
export interface GrepQuery {
  readonly pattern: string;
  readonly mode: GrepMode;
  /** Of matches shown, or of files in the other modes. */
  readonly limit: number;
  readonly caseSensitive: boolean;
  /** Lines around each match. */
  readonly context: number;
  /** Only files whose path matches: without a slash at any depth, a leading `!` excludes. */
  readonly glob: string | undefined;
}

export interface GrepLine {
  readonly number: number;
  readonly text: string;
  readonly match: boolean;
}

/** What was found in one file. */
export interface GrepFile {
  /** Relative to the root; the file's own name when the root is a file. */
  readonly path: string;
  /** Lines that match. */
  readonly matches: number;
  /** In order, long ones shortened; none where the mode shows none, and none behind the first match beyond the limit. */
  readonly lines: readonly GrepLine[];
}

export interface GrepSink {
  /** Of what these files hold nothing may be kept, counted or told. */
  readonly skips: (path: string) => boolean;
  /** Called once a file, in path order. `stop` = enough. */
  readonly onFile: (file: GrepFile) => 'more' | 'stop';
  /** Called for a binary file that holds the text, in any order and maybe more than once. What it holds is not shown. */
  readonly onBinary: (path: string) => void;
}

export type GrepEnd =
  | { readonly kind: 'complete'; readonly problems: string | undefined }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'bad-pattern'; readonly message: string }
  | { readonly kind: 'unavailable' };

/** As many matches a file as its mode can show. */
export function mostMatches(query: GrepQuery): number {
  return query.mode === 'files' ? 1 : MOST_LINES_PER_FILE;
}

/** A match in a minified file is a line of a megabyte. */
const MOST_LINE_CHARACTERS = 500;

export function shorten(text: string): string {
  if (text.length <= MOST_LINE_CHARACTERS) return text;
  return `${text.slice(0, MOST_LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}… [${text.length} characters]`;
}

/** Larger files are logs and data: searching them is for bash. */
export const MOST_FILE_BYTES = 50 * 1024 * 1024;
/** More lines than any limit of the tool: a file with a million matches must not fill the memory. */
export const MOST_LINES_PER_FILE = 20_000;
