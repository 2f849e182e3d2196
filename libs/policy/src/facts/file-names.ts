/**
 * File names as the strictest file system would read them: case and Unicode form do not count, invisible characters are
 * ignored (HFS+), trailing dots and blanks are dropped (NTFS), and git's own short name is git's folder. Folding only
 * ever makes more names special, never fewer.
 */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replace(/[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  if (/^git~\d+$/.test(folded)) return '.git';
  return folded === '' ? name : folded;
}

/** The folded names of a path, whatever its separators. */
export function foldedNames(path: string): string[] {
  return path
    .split(/[\\/]/)
    .filter((name) => name !== '' && name !== '.')
    .map(foldName);
}

/**
 * One special place: a run of names, matched anywhere in a path. A name may hold `*`. `below: true` also covers everything
 * underneath; otherwise the run must end the path. `anchored` runs start at the root of the disk.
 */
export interface SpecialPlace {
  readonly names: readonly string[];
  readonly below: boolean;
  readonly anchored: boolean;
  /** Short, for people: `git hooks`. */
  readonly reason: string;
}

/** `'.github/workflows/'` with a trailing slash covers what is underneath, `'.npmrc'` the file alone; `/etc/` only that one. */
export function place(pattern: string, reason: string): SpecialPlace {
  return {
    names: pattern.split('/').filter((name) => name !== ''),
    below: pattern.endsWith('/'),
    anchored: pattern.startsWith('/'),
    reason,
  };
}

/** The first place that covers these folded names, or null. */
export function findPlace(places: readonly SpecialPlace[], names: readonly string[]): SpecialPlace | null {
  return places.find((candidate) => covers(candidate, names)) ?? null;
}

function covers(candidate: SpecialPlace, names: readonly string[]): boolean {
  const length = candidate.names.length;
  const lastStart = candidate.anchored ? Math.min(0, names.length - length) : names.length - length;
  if (candidate.anchored && !candidate.below && names.length !== length) return false;
  for (
    let start = candidate.below || candidate.anchored ? 0 : lastStart;
    start >= 0 && start <= lastStart;
    start++
  ) {
    if (candidate.names.every((pattern, index) => nameMatches(pattern, names[start + index] ?? '')))
      return true;
  }
  return false;
}

/** `*` stands for any run of characters. Two pointers, so it is linear whatever the pattern. */
export function nameMatches(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return pattern === name;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
