import { posix, win32 } from 'node:path';
import type { PathFact } from '@wrongstack/contracts';
import { isAgentOwn, isAgentSecret } from './agent-paths.js';
import { credentialReason } from './credential-paths.js';
import type { FactFileSystem } from './fact-file-system.js';
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
    const facts = [this.fact(raw, spelt, physical)];
    if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) {
      const lexical = this.fact(raw, spelt, await this.resolve(spelt));
      if (lexical.real !== facts[0]?.real) facts.push(lexical);
    }
    return facts;
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

function isDevice(kind: 'file' | 'directory' | 'link' | 'device' | 'fifo' | 'socket'): boolean {
  return kind === 'device' || kind === 'fifo' || kind === 'socket';
}
