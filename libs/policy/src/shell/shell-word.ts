import type { ArgvWord } from '@wrongstack/contracts';

/** One word as the shell hands it to a program, with what is known about it before it runs. */
export interface ShellWord {
  /** After quote removal; globs as written; `null` = known only at run time. */
  readonly value: string | null;
  /** The static text before the first dynamic part: `--output=` of `--output=$x`. Equals `value` when that is static. */
  readonly lead: string;
  /** An unquoted expansion: it can become several words, or none. */
  readonly splits: boolean;
  /** For a glob, the folder before its first wildcard; for `find`'s `{}`, where the search starts. */
  readonly base: string | null;
  /** Starts with an unquoted tilde, so its path lies in a home folder. */
  readonly tilde: boolean;
  /** Holds the output of a download. */
  readonly fetched: boolean;
  /** Source, for people. */
  readonly text: string;
}

export function staticWord(value: string, text = quoteForPeople(value)): ShellWord {
  return { value, lead: value, splits: false, base: null, tilde: false, fetched: false, text };
}

/** A word that only exists at run time, such as what `xargs` appends. `base` where its folder is known all the same. */
export function runtimeWord(text: string, base: string | null = null): ShellWord {
  return { value: null, lead: base ?? '', splits: base === null, base, tilde: false, fetched: false, text };
}

/** The rest of a word behind its first characters: the value in `--output=value` or `-ovalue`. */
export function wordTail(word: ShellWord, from: number): ShellWord {
  return {
    ...word,
    value: word.value === null ? null : word.value.slice(from),
    lead: word.lead.slice(from),
    base: word.base === null ? null : word.base.slice(from),
    tilde: false,
    text: word.text,
  };
}

/**
 * Whether a program could take this word for an option. A wildcard that may match a file called `-rf` counts: such files
 * are planted. One whose rest holds a dot or a slash cannot spell a cluster of option letters.
 */
export function mayBeOption(word: ShellWord): boolean {
  if (word.value === null) return word.splits || word.lead === '' || word.lead.startsWith('-');
  if (word.base === null) return false;
  return word.value.startsWith('-') || (/^[*?[]/.test(word.value) && !/[./]/.test(word.value));
}

export function argvOf(words: readonly ShellWord[]): ArgvWord[] {
  return words.map((word) => word.value);
}

export function textOf(words: readonly ShellWord[]): string {
  return words.map((word) => word.text).join(' ');
}

/** The program a command word names: `/usr/bin/git` is `git`, and so is Windows' `git.exe`. */
export function programName(word: ShellWord | undefined): string | null {
  if (word === undefined || word.value === null || word.base !== null) return null;
  const name = word.value.slice(Math.max(word.value.lastIndexOf('/'), word.value.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:exe|cmd|com|bat)$/i, '');
}

export function quoteForPeople(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
