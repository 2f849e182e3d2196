import type { TerminalCaps } from './caps.js';
import type { Line } from './lines.js';

/** The bottom of the screen. `cursor` = where the person writes; null hides the cursor. */
export interface Region {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

/** Where a session shows things: a transcript that only grows, and (on a capable terminal) a region that is redrawn. */
export interface Screen {
  print(lines: readonly Line[]): void;
  setRegion(region: Region): void;
  /** Plain mode only: something is being waited for. Written at most once per 30 s; null = no longer. */
  waiting(text: string | null): void;
  /** Plain mode only: the person may write now. Said once, until they have; null = they pressed Enter. */
  prompt(label: string | null): void;
  resize(caps: TerminalCaps): void;
  /** Everything that is due is written now. */
  flush(): void;
  /** Leaves the cursor on a line of its own, below everything. */
  close(): void;
}

/** The part of a stream that screens use. */
export interface TextOutput {
  write(text: string): unknown;
}
