import type { FactFileSystem } from './fact-file-system.js';

/** How two path spellings compare on the disk that holds the project. */
export interface PathComparison {
  readonly separator: '/' | '\\';
  readonly ignoreCase: boolean;
}

/**
 * The path below `root` with `/` between its names, `''` for the root itself, null when it lies elsewhere. By whole
 * names: `/work/app-evil` is not inside `/work/app`.
 */
export function relativeInside(root: string, path: string, how: PathComparison): string | null {
  const above = namesOf(root, how);
  const names = namesOf(path, how);
  if (names.length < above.length) return null;
  if (above.some((name, index) => !sameName(name, names[index] ?? '', how))) return null;
  return names.slice(above.length).join('/');
}

export function isInside(root: string, path: string, how: PathComparison): boolean {
  return relativeInside(root, path, how) !== null;
}

/**
 * Does the disk take two spellings that differ in case for one file? Asked of the disk itself (same inode under the
 * other case), as both answers occur on every platform.
 */
export async function comparisonFor(fs: FactFileSystem, realRoot: string): Promise<PathComparison> {
  const separator = fs.platform === 'win32' ? '\\' : '/';
  if (fs.platform === 'win32') return { separator, ignoreCase: true };
  const other = swapCase(realRoot);
  if (other === null) return { separator, ignoreCase: fs.platform === 'darwin' };
  try {
    const [here, there] = await Promise.all([fs.lstat(realRoot), fs.lstat(other)]);
    return { separator, ignoreCase: here.identity === there.identity };
  } catch {
    return { separator, ignoreCase: false };
  }
}

function swapCase(path: string): string | null {
  const cut = path.lastIndexOf('/') + 1;
  const name = path.slice(cut);
  const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  return other === name ? null : path.slice(0, cut) + other;
}

function namesOf(path: string, how: PathComparison): string[] {
  return path.split(how.separator === '\\' ? /[\\/]/ : '/').filter((name) => name !== '');
}

function sameName(a: string, b: string, how: PathComparison): boolean {
  return a === b || (how.ignoreCase && a.toUpperCase() === b.toUpperCase());
}
