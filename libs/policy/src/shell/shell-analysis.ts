import type { CommandFacts } from '@wrongstack/contracts';
import type { PathException } from './store-read.js';

/** A file or folder that one simple command reads or writes, as far as its words tell. */
export interface ImpliedPath {
  /**
   * Absolute, `cd` tracked, `~` expanded; `null` = not static. A `..` behind a segment that may be a symlink is kept, as
   * the kernel follows the link first: resolve it component by component, never lexically. A glob stands for its longest
   * static parent.
   */
  readonly path: string | null;
  readonly access: 'read' | 'write';
  /** Index into `command.commands`. */
  readonly command: number;
  /** The program's own files, such as git writing `.git`. */
  readonly bookkeeping: boolean;
  /** The program reads or changes what lies below it too, if it is a folder: `grep -r x .`, `tar c .`, `rm -r .`. */
  readonly recursive?: true;
  /** Only a name that looks like a file: no read where there is none. */
  readonly guessed?: true;
  /** No read where one of these holds. */
  readonly unless?: readonly PathException[];
  /** The whole glob, absolute: what it matches may be links, or files with a meaning of their own. */
  readonly pattern?: string;
  /** Absolute paths or globs that land below `path` where that is a folder: `cp a/.envrc .` writes `./.envrc`. */
  readonly receives?: readonly Received[];
}

export interface Received {
  readonly path: string;
  /** What is in it lands there too, not only itself: `cp -r a/. .`, and rsync's `a/`. */
  readonly contents: boolean;
}

/** A place on the network that one simple command talks to. */
export interface ImpliedHost {
  /** With a scheme (`https://…`, `ssh://…`, `tcp://host:port`); `null` = not static. */
  readonly url: string | null;
  readonly command: number;
}

export interface ShellAnalysis {
  readonly command: CommandFacts;
  readonly paths: readonly ImpliedPath[];
  readonly hosts: readonly ImpliedHost[];
}

/** Where a command starts: both absolute, `cwd` a real path. */
export interface ShellPlace {
  readonly cwd: string;
  readonly home: string;
}
