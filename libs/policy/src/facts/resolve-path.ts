import { posix, win32 } from 'node:path';
import { codeOf } from '@wrongstack/contracts';
import type { FactFileSystem, FileKind } from './fact-file-system.js';
import { readWindowsPath } from './windows-path.js';

/**
 * Where a path really leads. `unresolvable` is an answer of its own: only ENOENT means "new", everything else (loops,
 * no permission, names that are too long, a file used as a folder) must deny rather than be guessed at.
 */
export type ResolvedPath =
  | { readonly status: 'found'; readonly real: string; readonly kind: FileKind }
  | { readonly status: 'new'; readonly real: string }
  | { readonly status: 'device'; readonly reason: string }
  | { readonly status: 'unresolvable'; readonly reason: string };

export const MAX_LINKS = 40;

/** Links that the kernel makes up: they mean something else to the child that would follow them. */
const MAGIC_LINK =
  /^\/(?:proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?:cwd|root|exe|fd|map_files|ns)|dev\/fd)(?:\/|$)/;

/** `path` is absolute or relative to `base`. `..` behind a link is read as the kernel reads it: from where the link leads. */
export async function resolvePath(fs: FactFileSystem, path: string, base: string): Promise<ResolvedPath> {
  if (path.includes('\0')) return { status: 'unresolvable', reason: 'a NUL byte in the path' };
  // The file system would be asked about another name than the one that was decided on.
  if (/\p{Surrogate}/u.test(path)) {
    return { status: 'unresolvable', reason: 'half of a surrogate pair in the path' };
  }
  if (fs.platform !== 'win32') {
    return walk(fs, posix.isAbsolute(path) ? path : `${base}/${path}`);
  }
  const spelt = readWindowsPath(path, base);
  if (spelt.kind === 'drive') return walk(fs, spelt.path);
  if (spelt.kind === 'invalid') return { status: 'unresolvable', reason: spelt.reason };
  return { status: 'device', reason: spelt.kind === 'unc' ? 'a UNC path' : 'a device path' };
}

async function walk(fs: FactFileSystem, absolute: string): Promise<ResolvedPath> {
  const flavour = fs.platform === 'win32' ? win32 : posix;
  const { root } = flavour.parse(absolute);
  let done = root;
  // The next one last.
  let todo = segmentsOf(absolute.slice(root.length), flavour.sep).reverse();
  let links = 0;
  let kind: FileKind = 'directory';
  while (todo.length > 0) {
    const segment = todo.pop() ?? '';
    if (segment === '..') {
      done = flavour.dirname(done);
      kind = 'directory';
      continue;
    }
    const next = done.endsWith(flavour.sep) ? `${done}${segment}` : `${done}${flavour.sep}${segment}`;
    if (MAGIC_LINK.test(next))
      return { status: 'unresolvable', reason: `${next} is different in every process` };
    const found = await look(fs, next);
    if (typeof found === 'string') {
      if (found === 'ENOENT') return newBelow(fs, done, [segment, ...todo.reverse()], flavour);
      return { status: 'unresolvable', reason: `${found} at ${next}` };
    }
    kind = found.kind;
    if (found.target !== null) {
      links += 1;
      if (links > MAX_LINKS) return { status: 'unresolvable', reason: `ELOOP at ${next}` };
      const target = flavour.isAbsolute(found.target) ? found.target : `${done}${flavour.sep}${found.target}`;
      done = flavour.parse(target).root;
      todo = [...todo, ...segmentsOf(target.slice(done.length), flavour.sep).reverse()];
      continue;
    }
    if (todo.length > 0 && kind !== 'directory')
      return { status: 'unresolvable', reason: `ENOTDIR at ${next}` };
    done = next;
  }
  return canonical(fs, done, kind);
}

/** The tail does not exist: the nearest existing parent is what counts. A `..` in a tail that is not there cannot be read. */
async function newBelow(
  fs: FactFileSystem,
  parent: string,
  tail: readonly string[],
  flavour: typeof posix,
): Promise<ResolvedPath> {
  if (tail.includes('..')) return { status: 'unresolvable', reason: `.. below ${parent}, where nothing is` };
  if (tail.some((name) => Buffer.byteLength(name) > 255)) {
    return { status: 'unresolvable', reason: 'ENAMETOOLONG' };
  }
  const found = await canonical(fs, parent, 'directory');
  return found.status === 'found' ? { status: 'new', real: flavour.join(found.real, ...tail) } : found;
}

/** Ask the disk for its own spelling: case and 8.3 names. Linux has no other than the one that was walked. */
async function canonical(fs: FactFileSystem, path: string, kind: FileKind): Promise<ResolvedPath> {
  if (fs.platform === 'linux') return { status: 'found', real: path, kind };
  try {
    return { status: 'found', real: await fs.realpath(path), kind };
  } catch (error) {
    return { status: 'unresolvable', reason: `${codeOf(error)} at ${path}` };
  }
}

async function look(
  fs: FactFileSystem,
  path: string,
): Promise<{ kind: FileKind; target: string | null } | string> {
  try {
    const { kind } = await fs.lstat(path);
    return { kind, target: kind === 'link' ? await fs.readlink(path) : null };
  } catch (error) {
    return codeOf(error);
  }
}

function segmentsOf(text: string, separator: string): string[] {
  const names = separator === '\\' ? text.split(/[\\/]/) : text.split('/');
  return names.filter((name) => name !== '' && name !== '.');
}
