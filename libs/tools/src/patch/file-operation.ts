/** One file of a patch, in the order in which the patch names it. Paths are as written, relative to the working folder. */
export type FileOperation =
  | {
      readonly kind: 'add';
      readonly path: string;
      readonly content: string;
      /** Git's `new file` says that there is none; the envelope's "Add File" may replace one that was read. */
      readonly mayReplace: boolean;
      readonly executable: boolean;
    }
  | {
      readonly kind: 'delete';
      readonly path: string;
      /** What the patch says the file holds; null = it does not say. */
      readonly content: Hunk | null;
    }
  | {
      readonly kind: 'update';
      readonly path: string;
      /** Where the changed file goes; the same path when it stays. */
      readonly to: string;
      /** Whether the file at `path` goes away when `to` is another path. */
      readonly how: 'move' | 'copy';
      readonly mayReplace: boolean;
      readonly change: TextChange;
      /** Undefined = as it is. */
      readonly executable: boolean | undefined;
    };

/** How a file's text changes: by hunks of lines, or by blocks that are searched as `edit` does. */
export type TextChange =
  | { readonly by: 'hunks'; readonly hunks: readonly Hunk[] }
  | { readonly by: 'blocks'; readonly blocks: readonly SearchBlock[] };

export interface SearchBlock {
  readonly search: string;
  readonly replacement: string;
}

export interface Hunk {
  /** Line of the patch where the hunk starts, for messages. */
  readonly patchLine: number;
  /** Lines of the file under which the hunk lies, outermost first. */
  readonly anchors: readonly string[];
  /** 1-based line that the hunk says it starts at; null = it does not say. */
  readonly startLine: number | null;
  readonly lines: readonly HunkLine[];
  /** The hunk's last line is the file's last line. */
  readonly atEnd: boolean;
  /** The old side, the new side ends without a line ending. */
  readonly openEnd: { readonly before: boolean; readonly after: boolean };
}

export interface HunkLine {
  readonly kind: 'context' | 'remove' | 'add';
  readonly text: string;
}

export function oldLines(hunk: Hunk): readonly string[] {
  return hunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
}

export function newLines(hunk: Hunk): readonly string[] {
  return hunk.lines.filter((line) => line.kind !== 'remove').map((line) => line.text);
}

/** Every path that an operation reads or writes. */
export function pathsOf(operation: FileOperation): readonly string[] {
  return operation.kind === 'update' && operation.to !== operation.path
    ? [operation.path, operation.to]
    : [operation.path];
}
