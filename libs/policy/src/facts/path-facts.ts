import { posix, win32 } from 'node:path';
import type { PathFact } from '@wrongstack/contracts';
import { isAgentOwn, isAgentSecret } from './agent-paths.js';
import type { PathException } from '../shell/store-read.js';
import { credentialReason } from './credential-paths.js';
import { expandPattern, MAX_MATCHES } from './expand-pattern.js';
import type { FactFileSystem } from './fact-file-system.js';
import { exceptionHolds } from './git/store-exceptions.js';
import { isInside, relativeInside } from './inside.js';
import type { PathPlaces } from './path-places.js';
import { protectedReason } from './protected-paths.js';
import { resolvePath, type ResolvedPath } from './resolve-path.js';
import { readWindowsPath } from './windows-path.js';

/** One path as it was claimed, by the tool or by a simple command. */
export interface RawPath {
  /** null = not static. */
  readonly path: string | null;
  readonly access: 'read' | 'write';
  readonly command: number | null;
  /** A program's own files, such as git writing `.git`: no protected write. */
  readonly bookkeeping: boolean;
  /** Only a name that looks like a file: no read where there is none. */
  readonly guessed?: boolean;
  /** No read where one of these holds. */
  readonly unless?: readonly PathException[];
  /** The glob that `path` is the static part of. */
  readonly pattern?: string | undefined;
  /** What lands below `path` where that is a folder. */
  readonly receives?: readonly { readonly path: string; readonly contents: boolean }[];
  /** What lies below it is read or changed too, if it is a folder. */
  readonly recursive?: boolean;
}

/** Resolves the paths of one call. Answers are remembered for that call alone: a disk changes between two of them. */
export class PathFactReader {
  private readonly resolved = new Map<string, Promise<ResolvedPath>>();

  constructor(
    private readonly fs: FactFileSystem,
    private readonly places: PathPlaces,
    /** Base of relative paths; null = unknown, and then relative paths cannot be resolved. */
    private readonly cwd: string | null,
  ) {}

  /**
   * Usually one fact. Two when `link/..` means one file to a program that cleans its path first and another to the
   * kernel: which of them is opened is the tool's choice, so both must be allowed.
   */
  async read(raw: RawPath): Promise<PathFact[]> {
    const { path } = raw;
    if (path === null) return [this.unresolved(raw)];
    const flavour = this.fs.platform === 'win32' ? win32 : posix;
    if (this.cwd === null && !flavour.isAbsolute(path)) return [this.unresolved(raw)];
    const spelt = this.spelling(path);
    const physical = await this.resolve(path);
    if (raw.guessed === true && physical.status === 'new') return [];
    if (raw.unless !== undefined && (await exceptionHolds(this.fs, spelt, raw.unless, this.places.home)))
      return [];
    // The folder above a glob is not what is read: the matches are, and each has a fact of its own. With `globstar` set,
    // `**` matches at any depth, which no list of matches shows.
    const stated = {
      ...raw,
      recursive:
        raw.pattern === undefined
          ? await this.descends(raw, physical)
          : /(?:^|\/)\*\*(?:\/|$)/.test(raw.pattern),
    };
    const facts = [await this.reached(stated, this.fact(stated, spelt, physical))];
    if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) {
      const lexical = await this.reached(stated, this.fact(stated, spelt, await this.resolve(spelt)));
      if (lexical.real !== facts[0]?.real) facts.push(lexical);
    }
    return facts;
  }

  /**
   * Files that are not named and are touched all the same: a glob may match a link out of the project or what a rule
   * forbids, and a copy into a folder may bring a file that another program obeys.
   */
  async unnamed(raw: RawPath): Promise<PathFact[]> {
    const matched = raw.pattern === undefined ? [] : await expandPattern(this.fs, raw.pattern);
    const landing = matched === null ? null : await this.landing(raw, matched);
    if (matched === null || landing === null) return [this.unresolved({ ...raw, path: null })];
    const facts: PathFact[] = [];
    for (const path of matched) facts.push(...(await this.read({ ...raw, path, pattern: undefined })));
    const recursive = landing.length > 0 && raw.recursive === true && (await this.bringsFolders(raw));
    for (const path of landing)
      facts.push(...(await this.read({ ...raw, path, pattern: undefined, receives: [], recursive })));
    return facts;
  }

  /**
   * A folder that receives named sources changes there, and each place where one lands is a fact of its own. Contents
   * land anywhere below: which names they have may still change before the copy is made.
   */
  private async descends(raw: RawPath, found: ResolvedPath): Promise<boolean> {
    const { receives = [] } = raw;
    if (raw.recursive !== true || raw.access === 'read' || receives.length === 0)
      return raw.recursive === true;
    if (receives.some(({ contents }) => contents)) return true;
    if (found.status === 'found' && found.kind === 'directory') return false;
    return this.bringsFolders(raw);
  }

  /** What is not there yet may be a folder by the time it is moved. */
  private async bringsFolders({ receives = [] }: RawPath): Promise<boolean> {
    for (const source of receives) {
      const paths = await expandPattern(this.fs, source.path);
      if (paths === null) return true;
      for (const path of paths) {
        const found = await this.resolve(path);
        if (found.status !== 'found' || found.kind === 'directory') return true;
      }
    }
    return false;
  }

  private async landing(
    { path, pattern, receives = [] }: RawPath,
    matched: readonly string[],
  ): Promise<readonly string[] | null> {
    if (path === null || receives.length === 0) return [];
    const names = new Set<string>();
    for (const source of receives) {
      for (const contents of source.contents ? [false, true] : [false]) {
        const found = await expandPattern(this.fs, source.path, contents);
        if (found === null) return null;
        for (const one of found) names.add(posix.basename(one));
      }
    }
    const places: string[] = [];
    for (const target of pattern === undefined ? [path] : matched) {
      const found = await this.resolve(target);
      if (found.status === 'found' && found.kind === 'directory') places.push(target);
    }
    if (places.length * names.size > MAX_MATCHES) return null;
    return places.flatMap((place) => [...names].map((name) => posix.join(place, name)));
  }

  /**
   * Removing or replacing a folder does the same to the agent's own files in it, so somebody is asked. Not denied as a
   * write to one of them would be: a person may well clear a project away.
   */
  private async reached(raw: RawPath, fact: PathFact): Promise<PathFact> {
    const whole = fact.access === 'write' && fact.recursive === true && (raw.receives ?? []).length === 0;
    if (!whole || fact.agentOwn || fact.protected !== null || fact.real === null) return fact;
    return (await this.holdsAgentFiles(fact.real))
      ? { ...fact, protected: "the agent's own files lie below it" }
      : fact;
  }

  private async holdsAgentFiles(folder: string): Promise<boolean> {
    const { agentHome, project, comparison } = this.places;
    if (isInside(folder, agentHome, comparison)) return true;
    const settings = [folder, ...(isInside(folder, project, comparison) ? [project] : [])];
    for (const place of settings) {
      // Only "there is none" counts as none.
      const found = await this.resolve(posix.join(place, '.wrongstack'));
      if (found.status !== 'new') return true;
    }
    return false;
  }

  /** Absolute and cleaned, links not followed: what the caller believes to name. */
  private spelling(path: string): string {
    if (this.fs.platform !== 'win32') return posix.resolve(this.cwd ?? '/', path);
    const read = readWindowsPath(path, this.cwd ?? this.places.project);
    return read.kind === 'drive' ? read.path : path;
  }

  private resolve(path: string): Promise<ResolvedPath> {
    const known = this.resolved.get(path);
    if (known !== undefined) return known;
    const found = resolvePath(this.fs, path, this.cwd ?? '/');
    this.resolved.set(path, found);
    return found;
  }

  private unresolved(raw: RawPath, device = false): PathFact {
    return {
      claimed: raw.path,
      real: null,
      access: raw.access,
      inside: false,
      relative: null,
      exists: false,
      linkLeavesProject: false,
      scratch: false,
      protected: null,
      credential: raw.path === null ? null : credentialReason(raw.path, this.places.home),
      agentOwn: raw.path !== null && isAgentOwn(raw.path, this.places.agentHome),
      device,
      command: raw.command,
    };
  }

  private fact(raw: RawPath, spelt: string, found: ResolvedPath): PathFact {
    if (found.status === 'unresolvable') return this.unresolved(raw);
    if (found.status === 'device') return this.unresolved(raw, true);
    const { project, home, agentHome, scratch, comparison } = this.places;
    const { real } = found;
    const relative = relativeInside(project, real, comparison);
    const spellings = [real, spelt];
    const first = (reason: (path: string) => string | null) =>
      spellings.reduce<string | null>((known, path) => known ?? reason(path), null);
    return {
      claimed: raw.path,
      real,
      access: raw.access,
      ...(reachesBelow(raw, found) && { recursive: true }),
      inside: relative !== null,
      relative,
      exists: found.status === 'found',
      linkLeavesProject: relative === null && this.speltInside(spelt),
      scratch: scratch.some((folder) => isInside(folder, real, comparison)),
      protected: raw.bookkeeping ? null : first(protectedReason),
      credential: first(
        (path) =>
          credentialReason(path, home) ?? (isAgentSecret(path, agentHome) ? "the agent's vault" : null),
      ),
      agentOwn: spellings.some((path) => isAgentOwn(path, agentHome)),
      device: found.status === 'found' && isDevice(found.kind),
      command: raw.command,
    };
  }

  private speltInside(spelt: string): boolean {
    const { project, projectSpelling, comparison } = this.places;
    return isInside(project, spelt, comparison) || isInside(projectSpelling, spelt, comparison);
  }
}

/** What is not there yet may be a folder by the time it is used. */
function reachesBelow({ recursive }: RawPath, found: ResolvedPath): boolean {
  if (recursive !== true) return false;
  return found.status === 'new' || (found.status === 'found' && found.kind === 'directory');
}

function isDevice(kind: 'file' | 'directory' | 'link' | 'device' | 'fifo' | 'socket'): boolean {
  return kind === 'device' || kind === 'fifo' || kind === 'socket';
}
