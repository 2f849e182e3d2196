import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { compileGlob } from './glob-pattern.js';
import { compileSegment, type SegmentTest } from './glob-segment.js';

/** From the strongest: one file of a kind beats all files of a weaker kind, wherever they lie. */
const MAX_BYTES = 4 * 1024 * 1024;
const KINDS = ['.rgignore', '.ignore', '.gitignore'] as const;
type Kind = (typeof KINDS)[number];
const REPOSITORY = '.git';

interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  readonly test: (path: string, name: string) => boolean;
}

/** The ignore files of one folder and, through `parent`, of those above it. */
export interface IgnoreFolder {
  readonly path: string;
  readonly rules: Readonly<Record<Kind, readonly Rule[]>>;
  /** No rule here or above. */
  readonly silent: boolean;
  /** A repository's root: `.gitignore` files above it say nothing about it. */
  readonly repository: boolean;
  readonly parent: IgnoreFolder | null;
  /** Whether the walk began inside a repository: only then do repositories bound their `.gitignore` files. */
  readonly bounded: boolean;
}

/** Whether a folder's rules depend on an entry of this name. */
export function steersIgnoring(name: string): boolean {
  return name === REPOSITORY || KINDS.some((kind) => kind === name);
}

/**
 * Rules of a folder that is about to be walked, below those of `parent`. `names` are those of its entries that
 * {@link steersIgnoring} knows, `at` is where they are to be read.
 */
export function readIgnoreFolder(
  path: string,
  parent: IgnoreFolder,
  names: readonly string[],
  at: (name: string) => string,
): IgnoreFolder {
  return readFolder(path, parent, parent.bounded, (name) => (names.includes(name) ? at(name) : null));
}

/** The rules that hold in `path`: its own and those of every folder above it. */
export function readIgnoreChain(path: string): IgnoreFolder {
  const bounded = isInRepository(path);
  const chain = (folder: string): IgnoreFolder => {
    const above = dirname(folder);
    return readFolder(folder, above === folder ? null : chain(above), bounded, (name) => join(folder, name));
  };
  return chain(path);
}

export function isInRepository(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (exists(join(folder, REPOSITORY))) return true;
    if (dirname(folder) === folder) return false;
  }
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function readFolder(
  path: string,
  parent: IgnoreFolder | null,
  bounded: boolean,
  place: (name: string) => string | null,
): IgnoreFolder {
  const rules = {
    '.rgignore': readRules(place('.rgignore')),
    '.ignore': readRules(place('.ignore')),
    '.gitignore': readRules(place('.gitignore')),
  };
  const marker = place(REPOSITORY);
  const silent = (parent?.silent ?? true) && KINDS.every((kind) => rules[kind].length === 0);
  return { path, rules, silent, repository: marker !== null && exists(marker), parent, bounded };
}

export function isIgnored(folder: IgnoreFolder, path: string, isFolder: boolean): boolean {
  if (folder.silent) return false;
  for (const kind of KINDS) {
    for (let at: IgnoreFolder | null = folder; at !== null; at = at.parent) {
      const verdict = at.rules[kind].length === 0 ? null : lastMatch(at.rules[kind], at.path, path, isFolder);
      if (verdict !== null) return !verdict.negated;
      if (kind === '.gitignore' && at.bounded && at.repository) break;
    }
  }
  return false;
}

function lastMatch(rules: readonly Rule[], from: string, path: string, isFolder: boolean): Rule | null {
  const below = relative(from, path).split(sep).join('/');
  const name = below.slice(below.lastIndexOf('/') + 1);
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index];
    if (rule !== undefined && (isFolder || !rule.foldersOnly) && rule.test(below, name)) return rule;
  }
  return null;
}

function readRules(file: string | null): readonly Rule[] {
  const text = file === null ? '' : textOf(file);
  return text === '' ? [] : text.split(/\r?\n/).flatMap(parseRule);
}

/** Empty for what cannot be read. Reading a pipe that somebody laid there would never end. */
function textOf(file: string): string {
  if (!exists(file)) return '';
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const info = fstatSync(descriptor);
    return info.isFile() && info.size <= MAX_BYTES ? readFileSync(descriptor, 'utf8') : '';
  } catch {
    return '';
  } finally {
    closeSync(descriptor);
  }
}

function parseRule(line: string): readonly Rule[] {
  // Spaces at the end do not count unless they are escaped.
  let pattern = line.replace(/(?<!\\)[ \t]+$/, '');
  if (pattern === '' || pattern.startsWith('#')) return [];
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return [];
  // A pattern without a slash inside holds at every depth, so the name alone decides.
  const test = pattern.includes('/')
    ? compileGlob(pattern, { caseSensitive: true, braces: false, brackets: 'class' })
    : onName(compileSegment(pattern, 'class'));
  return [{ negated, foldersOnly, test }];
}

function onName(test: SegmentTest): Rule['test'] {
  return (_path, name) => test(name);
}
