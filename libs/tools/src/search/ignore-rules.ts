import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { compileGlob, type GlobTest } from './glob-pattern.js';

/** From the strongest: one file of a kind beats all files of a weaker kind, wherever they lie. */
const MAX_BYTES = 4 * 1024 * 1024;
const KINDS = ['.rgignore', '.ignore', '.gitignore'] as const;
type Kind = (typeof KINDS)[number];

interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  readonly test: GlobTest;
}

/** The ignore files of one folder and, through `parent`, of those above it. */
export interface IgnoreFolder {
  readonly path: string;
  readonly rules: Readonly<Record<Kind, readonly Rule[]>>;
  /** A repository's root: `.gitignore` files above it say nothing about it. */
  readonly repository: boolean;
  readonly parent: IgnoreFolder | null;
  /** Whether the walk began inside a repository: only then do repositories bound their `.gitignore` files. */
  readonly bounded: boolean;
}

/** Rules of a folder that is about to be walked, below those of `parent`. */
export async function readIgnoreFolder(path: string, parent: IgnoreFolder): Promise<IgnoreFolder> {
  return readFolder(path, parent, parent.bounded);
}

/** The rules that hold in `path`: its own and those of every folder above it. */
export async function readIgnoreChain(path: string): Promise<IgnoreFolder> {
  const bounded = await isInRepository(path);
  const chain = async (folder: string): Promise<IgnoreFolder> => {
    const above = dirname(folder);
    return readFolder(folder, above === folder ? null : await chain(above), bounded);
  };
  return chain(path);
}

export async function isInRepository(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (await isRepository(folder)) return true;
    if (dirname(folder) === folder) return false;
  }
}

function isRepository(path: string): Promise<boolean> {
  return stat(join(path, '.git')).then(
    () => true,
    () => false,
  );
}

async function readFolder(
  path: string,
  parent: IgnoreFolder | null,
  bounded: boolean,
): Promise<IgnoreFolder> {
  const [strong, plain, git, repository] = await Promise.all([
    readRules(join(path, '.rgignore')),
    readRules(join(path, '.ignore')),
    readRules(join(path, '.gitignore')),
    isRepository(path),
  ]);
  const rules = { '.rgignore': strong, '.ignore': plain, '.gitignore': git };
  return { path, rules, repository, parent, bounded };
}

export function isIgnored(folder: IgnoreFolder, path: string, isFolder: boolean): boolean {
  for (const kind of KINDS) {
    for (let at: IgnoreFolder | null = folder; at !== null; at = at.parent) {
      const verdict = lastMatch(at.rules[kind], relative(at.path, path).split(sep).join('/'), isFolder);
      if (verdict !== null) return !verdict.negated;
      if (kind === '.gitignore' && at.bounded && at.repository) break;
    }
  }
  return false;
}

function lastMatch(rules: readonly Rule[], path: string, isFolder: boolean): Rule | null {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index];
    if (rule !== undefined && (isFolder || !rule.foldersOnly) && rule.test(path)) return rule;
  }
  return null;
}

async function readRules(file: string): Promise<readonly Rule[]> {
  const text = await textOf(file).catch(() => '');
  return text === '' ? [] : text.split(/\r?\n/).flatMap(parseRule);
}

/** Reading a pipe that somebody laid there would never end. */
async function textOf(file: string): Promise<string> {
  const info = await stat(file);
  return info.isFile() && info.size <= MAX_BYTES ? readFile(file, 'utf8') : '';
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
  // A pattern without a slash inside holds at every depth.
  const anchored = pattern.includes('/');
  const glob = anchored ? pattern : `**/${pattern}`;
  return [
    {
      negated,
      foldersOnly,
      test: compileGlob(glob, { caseSensitive: true, braces: false, brackets: 'class' }),
    },
  ];
}
