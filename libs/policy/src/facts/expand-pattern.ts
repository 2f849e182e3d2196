import type { FactFileSystem } from './fact-file-system.js';
import { matchesGlob } from './name-glob.js';

/** Listing more names than this would make a decision slow; what is not listed is not known. */
const MAX_NAMES = 4_000;
/** Each match is a fact that is decided on, shown and recorded. */
export const MAX_MATCHES = 256;

const WILDCARD = /[*?[(]/;

/**
 * The paths that an absolute shell glob may stand for, with those that would match if they existed below a matching
 * folder. `contents` adds what is in each. Null = too many to look at. Errs on too many matches: whether a wildcard was
 * quoted is no longer known here.
 */
export async function expandPattern(
  fs: FactFileSystem,
  pattern: string,
  contents = false,
): Promise<readonly string[] | null> {
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  const budget = { left: MAX_NAMES };
  let places: readonly string[] = [''];
  const steps = contents ? [...segments, null] : segments;
  for (const [index, segment] of steps.entries()) {
    const found: string[] = [];
    for (const place of places) {
      const names = await namesFor(fs, place, segment, budget);
      if (names === null) return null;
      for (const name of names) found.push(`${place}/${name}`);
    }
    const goesOn = index < steps.length - 1 && (segment === null || WILDCARD.test(segment));
    const next = goesOn ? await folders(fs, found) : found;
    if (next.length > MAX_MATCHES) return null;
    places = next;
  }
  return places;
}

/** A file does not match where more of the pattern follows. A link may be a folder. */
async function folders(fs: FactFileSystem, paths: readonly string[]): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const path of paths) {
    const kind = await fs.lstat(path).then(
      (facts) => facts.kind,
      () => 'link' as const,
    );
    if (kind === 'directory' || kind === 'link') kept.push(path);
  }
  return kept;
}

/** `segment` null = every name. */
async function namesFor(
  fs: FactFileSystem,
  folder: string,
  segment: string | null,
  budget: { left: number },
): Promise<readonly string[] | null> {
  if (segment !== null && !WILDCARD.test(segment)) return [segment];
  const names = await fs.list(folder === '' ? '/' : folder, budget.left + 1).catch(() => []);
  budget.left -= names.length;
  if (budget.left < 0) return null;
  if (segment === null) return names;
  const found = names.filter((name) => name === segment || matchesGlob(segment, name));
  // Older shells match the parent folder with `.*`.
  return matchesGlob(segment, '..') && segment.startsWith('.') ? [...found, '..'] : found;
}
