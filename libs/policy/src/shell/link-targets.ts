import { posix } from 'node:path';
import { names } from './names.js';
import { programName, type ShellWord } from './shell-word.js';
import type { WorkingFolder } from './working-folder.js';

const LINKERS = new Set(names('ln gln link symlink'));

/**
 * Names that a call turns into links before it uses them: `ln -s .git x && echo y > x/config`. The disk does not hold
 * them yet when the call is judged, so a path at or below one is not known.
 */
export class LinkTargets {
  private readonly made = new Set<string>();

  /** Whether a link that the call makes earlier decides where this path ends. */
  hide(path: string): boolean {
    for (const link of this.made) if (path === link || path.startsWith(`${link}/`)) return true;
    return false;
  }

  /** Remembers what one call of `ln` makes. Options are taken for operands: too many names only ask more. */
  note(command: ShellWord, args: readonly ShellWord[], folder: WorkingFolder): void {
    if (!LINKERS.has(programName(command) ?? '')) return;
    const operands = args.filter((word) => !(word.value ?? '').startsWith('-'));
    const target = operands.length > 1 ? operands.at(-1) : undefined;
    if (target !== undefined && target.base === null) this.addAll(folder.resolve(target));
    for (const source of operands.slice(0, Math.max(1, operands.length - 1))) {
      const name = posix.basename(source.value ?? '');
      if (name === '' || name === '.' || name === '..') continue;
      for (const place of target === undefined ? folder.resolve(HERE) : folder.resolve(target))
        if (place !== null) this.made.add(posix.join(place, name));
    }
  }

  private addAll(places: readonly (string | null)[]): void {
    for (const place of places) if (place !== null && place !== '/') this.made.add(place);
  }
}

const HERE: ShellWord = {
  value: '.',
  lead: '.',
  splits: false,
  base: null,
  tilde: false,
  fetched: false,
  text: '.',
};
