import type { ShellWord } from './shell-word.js';

/** Longer paths do not exist on any system that we run on. */
const MAX_PATH = 4_096;

/** More than this many possible folders is as good as not knowing. */
const MAX_FOLDERS = 4;

/**
 * Where relative paths point while a script runs. `cd x; y` runs `y` in the old folder when `x` does not exist, so the
 * folder is a set: every path is then implied once for each.
 */
export class WorkingFolder {
  private constructor(
    private folders: readonly string[] | null,
    private home: string | null,
    private previous: readonly string[] | null,
    private stack: readonly (readonly string[] | null)[],
    /** Assignments to CDPATH and the like make `cd` go somewhere else. */
    private reliable: boolean,
    /** Where the script started: a real path, so climbing out of it or its parents by text is right. */
    private readonly origin: string,
  ) {}

  static at(cwd: string, home: string): WorkingFolder {
    const origin = lexical(cwd);
    return new WorkingFolder([origin], lexical(home), null, [], true, origin);
  }

  /** What a subshell sees: its own changes do not come back. */
  copy(): WorkingFolder {
    return new WorkingFolder(this.folders, this.home, this.previous, this.stack, this.reliable, this.origin);
  }

  /** Takes over what happened in one of several branches; any of them may have been the one that ran. */
  join(branch: WorkingFolder): void {
    this.folders = union(this.folders, branch.folders);
    this.home = this.home === branch.home ? this.home : null;
    this.previous = union(this.previous, branch.previous);
    this.stack = this.stack.length === branch.stack.length ? this.stack : [];
    this.reliable &&= branch.reliable;
  }

  /** Takes over another's state whole. */
  become(other: WorkingFolder): void {
    this.folders = other.folders;
    this.home = other.home;
    this.previous = other.previous;
    this.stack = other.stack;
    this.reliable = other.reliable;
  }

  /** Nothing has moved away from where the script started. */
  isOrigin(): boolean {
    return this.folders?.length === 1 && this.folders[0] === this.origin;
  }

  /** Same place as another: nothing in between changed folders. */
  equals(other: WorkingFolder): boolean {
    return (
      sameList(this.folders, other.folders) && this.home === other.home && this.reliable === other.reliable
    );
  }

  forget(): void {
    this.folders = null;
    this.previous = null;
    this.stack = [];
  }

  /** `HOME=…`, `CDPATH=…`: what `~` and `cd` mean from here on. */
  assign(name: string, value: string | null): void {
    if (name === 'HOME') this.home = value !== null && value.startsWith('/') ? lexical(value) : null;
    if (name === 'CDPATH' || name === 'DIRSTACK') this.reliable = false;
    if (name === 'PWD' || name === 'OLDPWD') this.previous = null;
  }

  /** `cd` and `pushd`. The old folder stays possible unless what follows runs only on success. */
  enter(target: ShellWord | 'home' | 'previous', physical: boolean): void {
    const before = this.folders;
    this.folders = this.targets(target, physical);
    this.previous = before;
  }

  /** The state of a program started with `-C one -C two`; this shell stays where it is. */
  within(targets: readonly ShellWord[]): WorkingFolder {
    const inside = this.copy();
    for (const target of targets) inside.folders = inside.targets(target, true);
    return inside;
  }

  push(target: ShellWord, physical: boolean): void {
    this.stack = [...this.stack, this.folders];
    this.enter(target, physical);
  }

  pop(): void {
    const back = this.stack.at(-1) ?? null;
    this.stack = this.stack.slice(0, -1);
    this.previous = this.folders;
    this.folders = back;
  }

  private targets(target: ShellWord | 'home' | 'previous', physical: boolean): readonly string[] | null {
    if (!this.reliable) return null;
    if (target === 'home') return this.home === null ? null : [this.home];
    if (target === 'previous') return this.previous;
    if (target.base !== null) return null;
    const places = this.resolve(target);
    if (places.includes(null)) return null;
    // Without -P, `cd` takes `link/..` back out of the link by text alone.
    if (places.some((place) => (place ?? '').length > MAX_PATH)) return null;
    return places.map((place) => (physical ? (place ?? '/') : lexical(place ?? '/')));
  }

  /** The absolute paths a word may name from here; `[null]` when that is unknown. */
  resolve(word: ShellWord): readonly (string | null)[] {
    const text = word.base ?? word.value;
    if (text === null) return [null];
    if (word.tilde) {
      const place = this.tildePath(text);
      return [place === null ? null : withoutDots(place)];
    }
    if (text.startsWith('/')) return [withoutDots(text)];
    if (this.folders === null) return [null];
    return this.folders.map((folder) => this.joined(folder, text));
  }

  /** A leading `..` climbs a folder known to be real. Any other stays: the segment before it may be a link. */
  private joined(folder: string, text: string): string {
    const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
    let place = folder;
    while (segments[0] === '..' && `${this.origin}/`.startsWith(place === '/' ? '/' : `${place}/`)) {
      segments.shift();
      place = place.slice(0, place.lastIndexOf('/')) || '/';
    }
    return withoutDots(`${place}/${segments.join('/')}`);
  }

  private tildePath(text: string): string | null {
    if (this.home === null || (text !== '~' && !text.startsWith('~/'))) return null;
    return this.home + text.slice(1);
  }
}

function union(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (one === null || other === null) return null;
  const both = [...new Set([...one, ...other])];
  return both.length > MAX_FOLDERS ? null : both;
}

function sameList(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one === other || (one?.join('\0') ?? null) === (other?.join('\0') ?? null);
}

function withoutDots(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')}`;
}

function lexical(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}
