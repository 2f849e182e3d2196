import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { holdFolder, type HeldFolder } from '../paths/hold-folder.js';
import type { GlobFolder } from './glob-pattern.js';
import {
  isIgnored,
  readIgnoreChain,
  readIgnoreFolder,
  steersIgnoring,
  type IgnoreFolder,
} from './ignore-rules.js';
import { SKIPPED_NAMES } from './skipped-names.js';

export interface WalkEntry {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** 1 = directly in the root. */
  readonly depth: number;
}

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Folders deeper than this are named and not entered. */
  readonly depth?: number;
  /** Only files that match, and no folders. Where nothing can match, nothing is read. */
  readonly glob?: GlobFolder;
}

const DOT = 46;
/** Names read between two turns of the event loop: some milliseconds. One folder is always read at once. */
const NAMES_PER_TURN = 4_000;

/**
 * Files and folders below `root` in the byte order of their names, a folder before what it holds. Hidden ones too; not
 * those of ignore files, not the skipped names. Links are neither named nor followed, so a walk ends and stays inside.
 * They come in groups of any size, as many as were found between two turns of the event loop: to read folders
 * asynchronously, and to wait for each entry, would take several times as long as the walk itself.
 */
export async function* walk(
  root: string,
  options: WalkOptions,
): AsyncGenerator<readonly WalkEntry[], void, undefined> {
  const chain = readIgnoreChain(root);
  const top = readFolder({ path: root, relative: '', depth: 1, glob: options.glob }, () => chain);
  const open = [top];
  let group: WalkEntry[] = [];
  let names = top.names;
  for (let folder = open.at(-1); folder !== undefined; folder = open.at(-1)) {
    if (names >= NAMES_PER_TURN) {
      yield group;
      group = [];
      names = 0;
      await turn();
    }
    options.signal.throwIfAborted();
    const below = nextFolder(folder, options, group);
    if (below === null) {
      open.pop();
      continue;
    }
    const entered = readFolder(below, (held, steering) =>
      readIgnoreFolder(below.path, folder.rules, steering, held.at),
    );
    names += 1 + entered.names;
    open.push(entered);
  }
  yield group;
}

interface Place {
  readonly path: string;
  readonly relative: string;
  readonly depth: number;
  readonly glob: GlobFolder | undefined;
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

interface Folder extends Place {
  readonly rules: IgnoreFolder;
  readonly entries: readonly Entry[];
  /** How many names it holds, wanted or not. */
  readonly names: number;
  /** Of the entry that comes next. */
  at: number;
}

/** Puts entries into `group` until a folder is to be entered. Null at the end of this one. */
function nextFolder(folder: Folder, options: WalkOptions, group: WalkEntry[]): Place | null {
  const { depth, glob, rules, entries } = folder;
  const before = folder.path.endsWith(sep) ? folder.path : folder.path + sep;
  while (folder.at < entries.length) {
    const entry = entries[folder.at++];
    if (entry === undefined) break;
    const { name, isFolder } = entry;
    const path = before + name;
    if (isIgnored(rules, path, isFolder)) continue;
    const relative = folder.relative === '' ? name : `${folder.relative}/${name}`;
    if (!isFolder) {
      group.push({ path: relative, kind: 'file', depth });
      continue;
    }
    if (glob === undefined) group.push({ path: relative, kind: 'folder', depth });
    if (depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
    const below = glob?.folder(name);
    if (below !== null) return { path, relative, depth: depth + 1, glob: below };
  }
  return null;
}

type ReadRules = (held: HeldFolder, steering: readonly string[]) => IgnoreFolder;

/** A folder that may not be read, is gone, or turned into a link since it was seen holds nothing for us. */
function readFolder(place: Place, readRules: ReadRules): Folder {
  let held: HeldFolder;
  try {
    held = holdFolder(place.path);
  } catch {
    return { ...place, rules: NO_RULES, entries: [], names: 0, at: 0 };
  }
  try {
    const { entries, steering, names } = readEntries(held, place.glob);
    return { ...place, rules: readRules(held, steering), entries, names, at: 0 };
  } finally {
    held.close();
  }
}

/** For a folder without entries: there is nothing that it could be asked about. */
const NO_RULES: IgnoreFolder = {
  path: '',
  rules: { '.rgignore': [], '.ignore': [], '.gitignore': [] },
  silent: true,
  repository: false,
  parent: null,
  bounded: false,
};

interface Entries {
  readonly entries: readonly Entry[];
  readonly steering: readonly string[];
  readonly names: number;
}

function readEntries(held: HeldFolder, glob: GlobFolder | undefined): Entries {
  const entries: Entry[] = [];
  const steering: string[] = [];
  let found;
  try {
    found = readdirSync(held.at('.'), { withFileTypes: true });
  } catch {
    return { entries, steering, names: 0 };
  }
  for (const entry of found) {
    const { name } = entry;
    if (name.charCodeAt(0) === DOT && steersIgnoring(name)) steering.push(name);
    const isFolder = entry.isDirectory();
    const wanted = isFolder || (entry.isFile() && (glob === undefined || glob.file(name)));
    if (wanted && !SKIPPED_NAMES.has(name)) entries.push({ name, isFolder });
  }
  return { entries: sorted(entries), steering, names: found.length };
}

/** By bytes. UTF-16 has the same order, except for what is not below the surrogates. */
function sorted(entries: Entry[]): readonly Entry[] {
  if (entries.some(({ name }) => /[\ud800-\uffff]/.test(name))) {
    return entries.sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
