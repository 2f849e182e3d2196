import type { ShellWord } from './shell-word.js';

/**
 * What lets a read of git's store pass although nothing in the words says which files it shows. Each is looked up on the
 * disk when the facts are computed; one that holds is enough.
 */
export type StoreException<Path> =
  /** The revision is no blob: a commit is shown as a diff, which the scrubber can read. */
  | { readonly kind: 'no-blob'; readonly revision: string }
  /** The words name files, and every one of them is a file. */
  | { readonly kind: 'files'; readonly paths: readonly Path[]; readonly revisions: boolean }
  /** Files of the index are shown, and none of them is a credential. */
  | { readonly kind: 'tracked'; readonly paths: readonly Path[] };

export type WordException = StoreException<ShellWord>;
/** A path that is not static is null. */
export type PathException = StoreException<string | null>;
